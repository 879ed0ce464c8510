/**
 * Encodes values that an `.env` file cannot represent with any kind of quotes. An example is a value that contains all
 * kinds of quotes and a line break. The value becomes a JSON string, and a comment marks the line. Programs that ignore
 * the comment do not decode the escape sequences.
 */

const MARK = '# davit:json';

/**
 * Returns a value in the form in which an `.env` file contains it after `NAME=`. The result has only printable ASCII
 * characters.
 */
export function encodedEnvValue(value: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Backslashes are also escaped, so that no backslash precedes the closing quote.
  return `"${value.replace(/[^ !#-[\]-~]/g, escape)}" ${MARK}`;
}

/** Returns whether the comment after a value in an `.env` file marks the value as encoded. */
export function isEncoded(comment: string): boolean {
  return comment.trimEnd() === MARK;
}

/** Decodes a quoted value. Returns `null` if the value is not a JSON string. */
export function decoded(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : null;
  } catch {
    // A user may have edited the value but not the comment that marks the value as encoded.
    return null;
  }
}
