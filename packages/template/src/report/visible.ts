/**
 * Makes untrusted text safe for a terminal. No character may move the cursor, start a new line, change the text
 * direction or be invisible.
 */

/** C0, DEL, C1, and the Unicode line and paragraph separators. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
/** Invisible characters, except the joiners and selectors of letters and emoji. */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** Half of a surrogate pair. */
const HALF = /\p{Surrogate}/gu;

const REPLACEMENT = '\ufffd';

/**
 * Returns a text in one line with the same number of code points. Each unsafe character is replaced by a visible sign.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, sign).replace(UNSEEN, REPLACEMENT).replace(HALF, REPLACEMENT);
}

/** Returns the Unicode symbol of a control character. C1 characters have none. */
function sign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
