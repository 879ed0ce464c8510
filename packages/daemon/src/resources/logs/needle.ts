import { isAscii } from 'node:buffer';
import { LINE_FEED } from './chunk.ts';

/** Bit masks that convert four ASCII letters in a 32-bit word to lower case at once. */
const [A_AND_LATER, BEHIND_Z, HIGH] = [0x3f3f3f3f, 0x25252525, 0x80808080 | 0];

/**
 * Converts a text to lower case, as bytes for a search. Invalid UTF-8 becomes the replacement character.
 * @param room buffer for the result, used if it is large enough
 */
export function fold(text: Buffer, room: FoldedWords = wordsFor(0)): Buffer {
  if (!isAscii(text)) return Buffer.from(text.toString('utf8').toLowerCase());
  const words = room.byteLength >= text.length ? room : wordsFor(text.length);
  const bytes = Buffer.from(words.buffer, 0, text.length);
  text.copy(bytes);
  // Convert four bytes to lower case in one operation, because a search can read hundreds of megabytes.
  const count = Math.ceil(text.length / 4);
  for (let i = 0; i < count; i += 1) {
    const word = words[i] ?? 0;
    const seven = word & ~HIGH;
    words[i] = word | ((((seven + A_AND_LATER) ^ (seven + BEHIND_Z)) & HIGH) >>> 2);
  }
  return bytes;
}

export type FoldedWords = Int32Array<ArrayBuffer>;

/**
 * Creates a buffer of 32-bit words.
 * @param bytes minimum size of the buffer in bytes
 */
export function wordsFor(bytes: number): FoldedWords {
  return new Int32Array(Math.ceil(bytes / 4));
}

/**
 * Returns the indexes of the lines that contain the search text, in ascending order. The lines and the search text must
 * be in lower case.
 */
export function linesWith(folded: Buffer, needle: Buffer): number[] {
  const found: number[] = [];
  let line = 0;
  let start = 0;
  for (let at = folded.indexOf(needle); at >= 0; at = folded.indexOf(needle, start)) {
    let end = endOfLine(folded, start);
    for (; end < at; line += 1) {
      start = end + 1;
      end = endOfLine(folded, start);
    }
    found.push(line);
    line += 1;
    start = end + 1;
  }
  return found;
}

function endOfLine(text: Buffer, from: number): number {
  const end = text.indexOf(LINE_FEED, from);
  return end < 0 ? text.length : end;
}
