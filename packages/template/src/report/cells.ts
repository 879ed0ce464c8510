/** Matches characters that need two columns in a terminal, such as East Asian letters and emoji. */
const WIDE =
  /^(?:\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}])/u;
/** Matches characters that combine with the previous character. Such characters need no column in a terminal. */
const NONE = /^[\p{Mn}\p{Me}\u200c\u200d]/u;

/** Returns the number of terminal columns for a code point: 0, 1 or 2. */
export function cellsOf(codePoint: string): number {
  if (codePoint < '\u0300') return 1;
  if (NONE.test(codePoint)) return 0;
  return WIDE.test(codePoint) ? 2 : 1;
}
