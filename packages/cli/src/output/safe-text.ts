/**
 * Makes foreign text (names, log lines, error messages) safe for a terminal. No byte may move the cursor, set the
 * window title, change the clipboard or change the text direction.
 */

/** C0 without line ends and tabs, DEL, and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the text direction, and the Unicode line and paragraph separators. */
const INVISIBLE = /[\p{Bidi_Control}\u2028\u2029]/gu;
/** Color or other rendition: the only escape sequence that changes nothing but the look of the following text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what this finds
const RENDITION = /\u001b\[[0-9;:]*m/g;

/** The renditions of paint.ts. Others could hide text, for example. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what this finds
const OWN_RENDITION = /\u001b\[(?:[12]|22|3[1236]|39)m/g;

const REPLACEMENT = '\ufffd';

/** Makes all control characters of a text visible, except line ends and tabs. */
export function safeText(text: string): string {
  return text.replace(CONTROLS, visible).replace(INVISIBLE, REPLACEMENT);
}

/** Makes a text safe in one line. Line ends and tabs are replaced too, so that foreign text cannot start a line. */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t]/g, (c) => (c === '\t' ? ' ' : '\u240a'));
}

/**
 * Makes a log line of an app safe.
 * @param colours whether colors are kept until the end of the line or removed
 */
export function safeLogLine(line: string, colours: boolean): string {
  if (!colours) return safeOneLine(line.replace(RENDITION, ''));
  const safe = safeBetween(line, RENDITION);
  return line.search(RENDITION) < 0 ? safe : `${safe}\u001b[0m`;
}

/**
 * Makes a line of this program safe, which may contain foreign text.
 * @param colours whether the line was painted: only then does it keep the renditions of this program
 */
export function safePainted(line: string, colours: boolean): string {
  return colours ? safeBetween(line, OWN_RENDITION) : safeOneLine(line);
}

/** Makes all text safe except the matches of a pattern. */
function safeBetween(line: string, kept: RegExp): string {
  const matches = line.match(kept) ?? [];
  return line
    .split(kept)
    .map((text, index) => `${matches[index - 1] ?? ''}${safeOneLine(text)}`)
    .join('');
}

function safeOneLine(text: string): string {
  return safeText(text).replaceAll('\n', '\u240a');
}

/** Escapes such characters in JSON, which does not change its meaning. */
export function safeJson(json: string): string {
  const escape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(CONTROLS, escape).replace(INVISIBLE, escape);
}

/** Returns the Unicode symbol of a control character. C1 characters have none. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
