/**
 * Encoding of values that no quotes of an `.env` file can express, such as a value with all kinds of quotes and a line
 * break. The value is a JSON string with escape sequences, and a comment marks the line. Programs that do not know the
 * comment read the escape sequences as text.
 */

const MARK = '# davit:json';

/** Returns the text after `NAME=` for a value. It contains only printable ASCII characters. */
export function encoded(value: string): string {
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
    // The value was changed in an editor, but the comment was not removed.
    return null;
  }
}
