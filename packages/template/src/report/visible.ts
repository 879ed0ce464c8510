/**
 * What a file says is shown, never obeyed: no character of it may move a terminal's cursor, write a line of its own, turn
 * the order of letters around, or stand there unseen.
 */

/** C0, DEL, C1, and what ends a line without looking like it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
/** What nobody sees, but for the joiners and selectors that letters and emoji are made with. */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** Half of a character. */
const HALF = /\p{Surrogate}/gu;

const REPLACEMENT = '\ufffd';

/** Text in one line, code point for code point, with a sign in place of each character that is not to be seen. */
export function visible(text: string): string {
  return text.replace(CONTROLS, sign).replace(UNSEEN, REPLACEMENT).replace(HALF, REPLACEMENT);
}

/** The picture that Unicode has of a control character; of C1 there is none. */
function sign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
