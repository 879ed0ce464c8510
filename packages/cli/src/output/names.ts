/**
 * Character class of names for shell completion. None of the characters is special in a shell, so a name cannot inject
 * shell code.
 */
export const NAME_CHARACTERS = 'A-Za-z0-9._:/-';

/**
 * Matches names that shell completion may insert. A name must not begin with a hyphen, because the command would read
 * the name as an option.
 */
export const NAME_PATTERN = `^(?!-)[${NAME_CHARACTERS}]+$`;

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
