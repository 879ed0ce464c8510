/**
 * Parses `.env` files with comments, quotes, `export` and multi-line values. `$NAME` stays unchanged, because Davit
 * does not expand variables.
 */

/** Parsed line of a `.env` file. Line numbers start at 1. */
export type EnvEntry =
  | {
      kind: 'variable';
      line: number;
      key: string;
      value: string;
      /**
       * Line number of a later line of the `.env` file that sets the same variable again. The later line takes
       * precedence.
       */
      replacedAt?: number;
    }
  | { kind: 'refused'; line: number; text: string; why: string };

export interface EnvFile {
  /** Parsed lines of the `.env` file in order. Comments and empty lines are not included. */
  entries: EnvEntry[];
  /** Environment variables of the `.env` file. If several lines set a variable, the last line determines the value. */
  values: ReadonlyMap<string, string>;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_.]*$/;

export function readEnvFile(text: string): EnvFile {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\n|\r/);
  const entries: EnvEntry[] = [];
  for (let at = 0; at < lines.length; ) {
    const { entry, next } = readEntry(lines, at);
    if (entry) entries.push(entry);
    at = next;
  }
  return { entries: markReplaced(entries), values: valuesOf(entries) };
}

interface Read {
  entry: EnvEntry | null;
  /** Index of the next line of the `.env` file to parse, starting at 0. */
  next: number;
}

function readEntry(lines: readonly string[], at: number): Read {
  const text = (lines[at] ?? '').trim();
  const next = at + 1;
  const refuse = (why: string): Read => ({ entry: { kind: 'refused', line: at + 1, text, why }, next });
  if (text === '' || text.startsWith('#')) return { entry: null, next };
  const assignment = text.replace(/^export\s+/, '');
  const equals = assignment.indexOf('=');
  if (equals < 0) return refuse('The line has no “=”.');
  const key = assignment.slice(0, equals).trimEnd();
  if (!NAME.test(key))
    return refuse('A name contains letters, digits, “_” and “.”, and does not start with a digit or a dot.');
  const value = readValue(assignment.slice(equals + 1).trimStart(), lines, next);
  if ('why' in value) return refuse(value.why);
  return { entry: { kind: 'variable', line: at + 1, key, value: value.value }, next: value.next };
}

type Value = { value: string; next: number } | { why: string };

/**
 * Parses a value of a `.env` file, which can have several lines in quotes.
 * @param first text after the `=`
 * @param next index of the following line, from 0
 */
function readValue(first: string, lines: readonly string[], next: number): Value {
  const quote = first[0] ?? '';
  if (!`"'\``.includes(quote) || quote === '') return { value: withoutComment(first), next };
  let inside = first.slice(1);
  for (let line = next; ; line += 1) {
    const end = endOfQuote(inside, quote);
    if (end >= 0) {
      const rest = inside.slice(end + 1).trim();
      if (rest !== '' && !rest.startsWith('#'))
        return { why: 'The line has text after the closing quote of the value.' };
      return { value: unescaped(inside.slice(0, end), quote), next: line };
    }
    const more = lines[line];
    if (more === undefined) return { why: `The quote ${quote} is not closed.` };
    inside += `\n${more}`;
  }
}

function withoutComment(text: string): string {
  return (text.startsWith('#') ? '' : text.replace(/\s+#.*$/, '')).trimEnd();
}

/**
 * Returns the index of the closing quote, or -1. Only between double quotes, a backslash escapes the next character.
 */
function endOfQuote(text: string, quote: string): number {
  if (quote !== '"') return text.indexOf(quote);
  for (let i = 0; i < text.length; i += 1) {
    if (text[i] === '\\') i += 1;
    else if (text[i] === quote) return i;
  }
  return -1;
}

const ESCAPES: Record<string, string> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/**
 * Replaces escapes such as `\n` in a double-quoted value. Unknown escapes such as `\d` stay, because regular
 * expressions contain them.
 */
function unescaped(text: string, quote: string): string {
  return quote === '"' ? text.replace(/\\([\s\S])/g, (whole, one: string) => ESCAPES[one] ?? whole) : text;
}

function valuesOf(entries: readonly EnvEntry[]): Map<string, string> {
  return new Map(entries.flatMap((entry) => (entry.kind === 'variable' ? [[entry.key, entry.value] as const] : [])));
}

function markReplaced(entries: readonly EnvEntry[]): EnvEntry[] {
  const last = new Map(
    entries.flatMap((entry) => (entry.kind === 'variable' ? [[entry.key, entry.line] as const] : [])),
  );
  return entries.map((entry) => {
    const counts = entry.kind === 'variable' ? last.get(entry.key) : undefined;
    return counts === undefined || counts === entry.line ? entry : { ...entry, replacedAt: counts };
  });
}
