/**
 * Replaces dangerous characters in untrusted text, such as log lines. Otherwise, the text could control the terminal or
 * change the text direction.
 */

/** Matches control characters, except line feeds and tabs. Terminals can interpret control characters as commands. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Matches characters that change the text direction, and the Unicode line and paragraph separators. */
const INVISIBLE = /[\p{Bidi_Control}\u2028\u2029]/gu;
/**
 * Matches escape sequences for colors and text styles (SGR). Other escape sequences can have further effects and do not
 * match.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match the escape character
const RENDITION = /\u001b\[[0-9;:]*m/g;

/**
 * Matches escape sequences for the text styles in `paint.ts`. Escape sequences for other text styles are removed,
 * because some of them can hide text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match the escape character
const OWN_RENDITION = /\u001b\[(?:[12]|22|3[1236]|39)m/g;

const REPLACEMENT = '\ufffd';

/** Replaces control characters with visible symbols, except line feeds and tabs. */
export function safeText(text: string): string {
  return text.replace(CONTROLS, visible).replace(INVISIBLE, REPLACEMENT);
}

/**
 * Makes a text safe for one line of the terminal. Line feeds and tabs are also replaced, so that the text has only one
 * line.
 */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t]/g, (c) => (c === '\t' ? ' ' : '\u240a'));
}

/**
 * Makes a log line of an app safe for the terminal.
 * @param colours whether to keep colors. At the end of the line, the colors are reset
 */
export function safeLogLine(line: string, colours: boolean): string {
  if (!colours) return safeOneLine(line.replace(RENDITION, ''));
  const safe = safeBetween(line, RENDITION);
  return line.search(RENDITION) < 0 ? safe : `${safe}\u001b[0m`;
}

/**
 * Makes an output line safe for the terminal.
 * @param colours whether to keep the color codes that the CLI added to the line
 */
export function safePainted(line: string, colours: boolean): string {
  return colours ? safeBetween(line, OWN_RENDITION) : safeOneLine(line);
}

/** Makes a line safe for the terminal. Parts of the line that match the pattern `kept` are not changed. */
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

/** Replaces control characters in JSON text with `\u` escape sequences. The parsed JSON value does not change. */
export function safeJson(json: string): string {
  const escape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(CONTROLS, escape).replace(INVISIBLE, escape);
}

/** Returns a visible Unicode symbol for a control character. Returns U+FFFD if there is no such symbol. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
