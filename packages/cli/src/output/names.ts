/**
 * Character class of names for shell completion. No character in this class has a special meaning in a shell.
 * Therefore, a name cannot inject shell code.
 */
export const NAME_CHARACTERS = 'A-Za-z0-9._:/-';

/**
 * Matches names that shell completion may insert. A name must not start with a hyphen, because the command would treat
 * the name as an option.
 */
export const NAME_PATTERN = `^(?!-)[${NAME_CHARACTERS}]+$`;

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
