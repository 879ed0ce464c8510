/**
 * Makes untrusted text safe for a terminal. Replaces invisible characters, and characters that could move the cursor,
 * break the line or change the text direction.
 */

/** Matches control characters (C0, DEL and C1) and the Unicode separators of lines and paragraphs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern finds control characters
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
/**
 * Matches invisible Unicode characters. Joiners and variation selectors are excluded, because some scripts and emoji
 * need them.
 */
const UNSEEN = /(?!\u200c|\u200d|[\ufe00-\ufe0f])[\p{Bidi_Control}\p{Default_Ignorable_Code_Point}]/gu;
/** Matches half of a UTF-16 surrogate pair. Half of a pair is not a valid character. */
const HALF = /\p{Surrogate}/gu;

const REPLACEMENT = '\ufffd';

/**
 * Converts a text to one line without unsafe characters. One visible character replaces each unsafe character, so the
 * number of code points does not change.
 */
export function visible(text: string): string {
  return text.replace(CONTROLS, sign).replace(UNSEEN, REPLACEMENT).replace(HALF, REPLACEMENT);
}

/**
 * Returns the Unicode symbol of a control character, such as `␊`. C1 characters have no symbol, so they get a
 * replacement character.
 */
function sign(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
