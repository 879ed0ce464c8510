/**
 * What comes from elsewhere (app names, log lines, error sentences) is shown, never obeyed: no byte of it may move the
 * cursor, set the window's title, fill the clipboard or turn the order of letters around.
 */

/** C0 without line ends and tabs, DEL, C1. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this finds
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/** What turns the direction of text around, and what ends a line without looking like it. */
const INVISIBLE = /[\p{Bidi_Control}\u2028\u2029]/gu;
/** A colour or another rendition: the one sequence that changes nothing but how the text after it looks. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what this finds
const RENDITION = /\u001b\[[0-9;:]*m/g;

const REPLACEMENT = '\ufffd';

/** Several lines of text with everything else that a terminal would act on made visible. */
export function safeText(text: string): string {
  return text.replace(CONTROLS, visible).replace(INVISIBLE, REPLACEMENT);
}

/** The same in one line: a line end or a tab is shown too, so that nobody writes lines of his own into ours. */
export function safeLine(text: string): string {
  return safeText(text).replace(/[\n\t]/g, (c) => (c === '\t' ? ' ' : '\u240a'));
}

/**
 * A line that an app wrote.
 * @param colours keep its renditions, which end with the line; otherwise they are taken out
 */
export function safeLogLine(line: string, colours: boolean): string {
  if (!colours) return safeText(line.replace(RENDITION, '')).replaceAll('\n', '\u240a');
  const renditions = line.match(RENDITION) ?? [];
  const texts = line.split(RENDITION).map((text) => safeText(text).replaceAll('\n', '\u240a'));
  const joined = texts.map((text, index) => `${renditions[index - 1] ?? ''}${text}`).join('');
  return renditions.length > 0 ? `${joined}\u001b[0m` : joined;
}

/** JSON says the same when such characters are escaped in it. */
export function safeJson(json: string): string {
  const escape = (c: string) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(CONTROLS, escape).replace(INVISIBLE, escape);
}

/** The picture that Unicode has of a control character; of C1 there is none. */
function visible(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '\u2421' : REPLACEMENT;
}
