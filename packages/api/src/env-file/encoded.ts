/**
 * Encoding of values that no quotes in an `.env` file can represent, such as a value with all kinds of quotes and a
 * line break. The value becomes a JSON string, and a comment marks the line. Programs that ignore the comment read the
 * escape sequences of the JSON string as text.
 */

const MARK = '# davit:json';

/** Returns a value as an `.env` file contains it after `NAME=`. The result has only printable ASCII characters. */
export function encodedEnvValue(value: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  // Also escapes backslashes, so that no backslash precedes the closing quote.
  return `"${value.replace(/[^ !#-[\]-~]/g, escape)}" ${MARK}`;
}

/** Returns whether the comment after a value marks the value as encoded. */
export function isEncoded(comment: string): boolean {
  return comment.trimEnd() === MARK;
}

/** Decodes a value with its quotes. Returns `null` if it is not a JSON string. */
export function decoded(quoted: string): string | null {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === 'string' ? value : null;
  } catch {
    // A user may have edited the value without removing the comment that marks the value as encoded.
    return null;
  }
}
