import { decoded, isEncoded } from './encoded.ts';

/** Variable of an `.env` file. */
interface EnvEntry {
  name: string;
  value: string;
  /** Number of the line with the variable's name. The first line has the number 1. */
  line: number;
}

/** Line of an `.env` file that is probably a mistake. */
export interface DoubtfulLine {
  /** Number of the line. The first line has the number 1. */
  line: number;
  /**
   * `no_variable`: the line contains no variable and is ignored. `open_quote`: the value starts with a quote but has no
   * closing quote. `cut_value`: the value contains `#` without a space before it, so it ends there.
   */
  why: 'no_variable' | 'open_quote' | 'cut_value';
}

export interface ReadEnvFile {
  /** All variables in the order of the `.env` file. */
  entries: EnvEntry[];
  /** Map from name to variable. If the `.env` file sets a variable several times, the last value is used. */
  variables: ReadonlyMap<string, EnvEntry>;
  doubtful: DoubtfulLine[];
}

/** Matches the name of a variable in the forms `NAME=`, `export NAME=` and `NAME: ` (as in YAML). */
const NAME = /[^\S\n]*(?:export[^\S\n]+)?([\w.-]+)(?:[^\S\n]*=|:(?=[^\S\n]))/y;
const BLANKS = /[^\S\n]*/y;
/** Matches the rest of a line if it contains only spaces and a comment. */
const TAIL = /[^\S\n]*(#[^\n]*)?(?=\n|$)/y;
const UNQUOTED = /([^#\n]*)(#[^\n]*)?/y;

/**
 * Reads an `.env` file like the npm library dotenv, and reports lines that are probably mistakes. References such as
 * `$HOME` in a value are not expanded.
 */
export function readEnvFile(text: string): ReadEnvFile {
  const source = text.replace(/^\ufeff/, '').replace(/\r\n?/g, '\n');
  const entries: EnvEntry[] = [];
  const doubtful: DoubtfulLine[] = [];
  let line = 1;
  for (let at = 0; at < source.length; ) {
    const entry = entryAt(source, at);
    if (entry !== null) entries.push({ name: entry.name, value: entry.value, line });
    if (entry?.isOpen) doubtful.push({ line, why: 'open_quote' });
    else if (entry?.isCut) doubtful.push({ line, why: 'cut_value' });
    if (entry === null && matchAt(TAIL, source, at) === null) doubtful.push({ line, why: 'no_variable' });
    const lineEnd = source.indexOf('\n', entry?.end ?? at);
    const next = lineEnd < 0 ? source.length : lineEnd + 1;
    line += source.slice(at, next).split('\n').length - 1;
    at = next;
  }
  return { entries, variables: new Map(entries.map((entry) => [entry.name, entry])), doubtful };
}

/** Reads the variable at the start of a line. Returns `null` if the line contains no variable. */
function entryAt(source: string, at: number) {
  const head = matchAt(NAME, source, at);
  if (head === null) return null;
  const { written, comment, isCut, end } = valueAt(source, at + head[0].length);
  const value = (isEncoded(comment) ? decoded(written) : null) ?? valueOf(written);
  const isOpen = isQuote(written[0]) && !isQuoted(written);
  return { name: head[1] ?? '', value, isOpen, isCut, end };
}

/** Reads a value with its quotes, and the comment after the value. Only a quoted value can have several lines. */
function valueAt(source: string, at: number): { written: string; comment: string; isCut: boolean; end: number } {
  const start = at + (matchAt(BLANKS, source, at)?.[0].length ?? 0);
  for (const end of endsOf(source, start)) {
    const tail = matchAt(TAIL, source, end);
    if (tail)
      return { written: source.slice(start, end), comment: tail[1] ?? '', isCut: false, end: end + tail[0].length };
  }
  const [whole = '', written = '', comment = ''] = matchAt(UNQUOTED, source, start) ?? [];
  const isCut = comment !== '' && /\S$/.test(written);
  return { written: written.trim(), comment, isCut, end: start + whole.length };
}

/**
 * Returns the possible end positions of a quoted value, the preferred position first. A quote after a backslash ends
 * the value only if no later quote can end it.
 */
function endsOf(source: string, start: number): number[] {
  const quote = source[start] ?? '';
  if (!isQuote(quote)) return [];
  const ends: number[] = [];
  for (let at = source.indexOf(quote, start + 1); at >= 0; at = source.indexOf(quote, at + 1)) {
    ends.push(at + 1);
    if (source[at - 1] !== '\\') break;
  }
  return ends.reverse();
}

/** Removes the quotes of a value. In double quotes, also decodes `\n` and `\r`. Other escape sequences do not exist. */
function valueOf(written: string): string {
  const inner = isQuoted(written) ? written.slice(1, -1) : written;
  return written.startsWith('"') ? inner.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : inner;
}

function isQuoted(written: string): boolean {
  const [quote] = written;
  return written.length > 1 && isQuote(quote) && written.endsWith(quote);
}

function isQuote(character: string | undefined): character is string {
  return character === "'" || character === '"' || character === '`';
}

/** @param pattern sticky regular expression, which matches only at the position `at` */
function matchAt(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(source);
}
