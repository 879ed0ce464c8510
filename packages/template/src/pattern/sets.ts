import type { Has } from './tree.ts';

const between = (from: string, to: string): Has => {
  const [first, last] = [codeOf(from), codeOf(to)];
  return (code) => code >= first && code <= last;
};
const isDigit = between('0', '9');
const isLower = between('a', 'z');
const isUpper = between('A', 'Z');
const isSpace: Has = (code) => /\s/.test(String.fromCodePoint(code));

/** Characters that `\w` matches in a regular expression: ASCII letters, digits and `_`. */
export const isWord: Has = (code) => isDigit(code) || isLower(code) || isUpper(code) || code === codeOf('_');

/** Characters that `.` matches in a regular expression: all characters except line breaks. */
export const isNoLineEnd: Has = (code) => code !== 0x0a && code !== 0x0d && code !== 0x2028 && code !== 0x2029;

/** Map from an escape sequence in a regular expression to the matching characters. For example, `\d` matches digits. */
export const CLASSES: Readonly<Record<string, Has>> = {
  d: isDigit,
  D: (code) => !isDigit(code),
  w: isWord,
  W: (code) => !isWord(code),
  s: isSpace,
  S: (code) => !isSpace(code),
};

/**
 * Map from the letter of an escape sequence in a regular expression to a character code. For example, `n` (as in `\n`)
 * means 0x0a.
 */
export const CONTROLS: Readonly<Record<string, number>> = { t: 0x09, n: 0x0a, v: 0x0b, f: 0x0c, r: 0x0d };

export function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
