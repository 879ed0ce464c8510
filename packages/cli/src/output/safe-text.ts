/**
 * Removes dangerous characters from text that Davit does not control: names, log lines and error messages. Such text
 * must not move the cursor, set the window title, change the clipboard or change the text direction.
 */

/** Control characters: C0 except line feed and tab, DEL, and C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** Characters that change the text direction, and the Unicode line and paragraph separators. */
const INVISIBLE = /[\p{Bidi_Control}\u2028\u2029]/gu;
/**
 * Escape sequences for colors and text styles (SGR). Other escape sequences can do more than change the appearance of
 * text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match the escape character
const RENDITION = /\u001b\[[0-9;:]*m/g;

/** Escape sequences for the styles in paint.ts. Other SGR sequences are removed, because some can hide text. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match the escape character
const OWN_RENDITION = /\u001b\[(?:[12]|22|3[1236]|39)m/g;

const REPLACEMENT = '\ufffd';

/** Replaces control characters by visible symbols, except line feeds and tabs. */
export function safeText(text: string): string {
  return text.replace(CONTROLS, visible).replace(INVISIBLE, REPLACEMENT);
}

/**
 * Makes text safe for one terminal line. Also replaces line feeds and tabs, so that the text cannot start a new line.
 */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t]/g, (c) => (c === '\t' ? ' ' : '\u240a'));
}

/**
 * Makes a log line of an app safe for the terminal.
 * @param colours whether to keep colors, which are reset at the end of the line
 */
export function safeLogLine(line: string, colours: boolean): string {
  if (!colours) return safeOneLine(line.replace(RENDITION, ''));
  const safe = safeBetween(line, RENDITION);
  return line.search(RENDITION) < 0 ? safe : `${safe}\u001b[0m`;
}

/**
 * Makes an output line of the CLI safe for the terminal. The line can contain names and messages from the instance.
 * @param colours whether the CLI added color codes, which are then kept
 */
export function safePainted(line: string, colours: boolean): string {
  return colours ? safeBetween(line, OWN_RENDITION) : safeOneLine(line);
}

/** Makes a line safe for the terminal, but keeps the parts that match a pattern. */
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

/** Replaces control characters in JSON text by `\u` escapes. The JSON value stays the same. */
export function safeJson(json: string): string {
  const escape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(CONTROLS, escape).replace(INVISIBLE, escape);
}

/** Returns the Unicode symbol of a control character, or U+FFFD if it has no symbol. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
