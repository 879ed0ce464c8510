/**
 * Characters of names that an instance may offer to a shell, as the content of a character class. A shell inserts such
 * a name into the line of the user, so none of these characters has a meaning for a shell.
 */
export const NAME_CHARACTERS = 'A-Za-z0-9._:/-';

/** Pattern of such names. A name with a hyphen at its start would be an option. */
export const NAME_PATTERN = `^(?!-)[${NAME_CHARACTERS}]+$`;

const NAME = new RegExp(NAME_PATTERN);

export function isName(text: string): boolean {
  return NAME.test(text);
}
