import { isAscii } from 'node:buffer';
import { LINE_FEED } from './chunk.ts';

/** In each of the four bytes of a word: */
const [A_AND_LATER, BEHIND_Z, HIGH] = [0x3f3f3f3f, 0x25252525, 0x80808080 | 0];

/**
 * A text without its letter case, as bytes; what is searched for and what it is searched in are folded alike. Bytes that
 * are no text fold to the replacement character, as whoever reads them sees them.
 * @param room used for the answer where it fits, so that a long search leaves little behind
 */
export function fold(text: Buffer, room: FoldedWords = wordsFor(0)): Buffer {
  if (!isAscii(text)) return Buffer.from(text.toString('utf8').toLowerCase());
  const words = room.byteLength >= text.length ? room : wordsFor(text.length);
  const bytes = Buffer.from(words.buffer, 0, text.length);
  text.copy(bytes);
  // Four letters at a time: a search goes through hundreds of megabytes of them.
  const count = Math.ceil(text.length / 4);
  for (let i = 0; i < count; i += 1) {
    const word = words[i] ?? 0;
    const seven = word & ~HIGH;
    words[i] = word | ((((seven + A_AND_LATER) ^ (seven + BEHIND_Z)) & HIGH) >>> 2);
  }
  return bytes;
}

export type FoldedWords = Int32Array<ArrayBuffer>;

/** Room for so many bytes of text. */
export function wordsFor(bytes: number): FoldedWords {
  return new Int32Array(Math.ceil(bytes / 4));
}

/** The numbers of the lines of a folded text that contain a folded needle, ascending. */
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
