import { isAscii } from 'node:buffer';
import { LINE_FEED } from './chunk.ts';

const LOWER = Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte));

/**
 * A text without its letter case, as bytes; what is searched for and what it is searched in are folded alike. Bytes that
 * are no text fold to the replacement character, as whoever reads them sees them.
 * @param room used for the answer where it fits, so that a long search leaves little behind
 */
export function fold(text: Buffer, room?: Buffer): Buffer {
  if (!isAscii(text)) return Buffer.from(text.toString('utf8').toLowerCase());
  const folded =
    room !== undefined && room.length >= text.length ? room.subarray(0, text.length) : Buffer.alloc(text.length);
  for (let i = 0; i < text.length; i += 1) folded[i] = LOWER[text[i] ?? 0] ?? 0;
  return folded;
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
