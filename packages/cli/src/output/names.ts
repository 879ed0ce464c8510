/**
 * Allowed characters of names that shell completion inserts, as the content of a regular expression class. None of
 * these characters has a special meaning in a shell, so a name cannot inject shell code.
 */
export const NAME_CHARACTERS = 'A-Za-z0-9._:/-';

/**
 * Regular expression for names that shell completion may insert. A name must not begin with a hyphen, because it would
 * be an option.
 */
export const NAME_PATTERN = `^(?!-)[${NAME_CHARACTERS}]+$`;

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
