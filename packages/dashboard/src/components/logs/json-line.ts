/** JSON log line in readable form: the message first, then the other fields. */
export interface JsonLine {
  message: string;
  fields: [name: string, value: string][];
}

/**
 * Maximum length in characters of a JSON log line that is parsed. A longer line is shown unparsed, because parsing
 * would delay scrolling.
 */
const MOST = 16_384;
const MESSAGES = ['msg', 'message', 'event', 'text'];
/**
 * Fields of a JSON log line that are left out of the message. They contain the level and the time, which the log row
 * already shows in separate columns.
 */
const LEFT_OUT = new Set(['level', 'severity', 'lvl', 'levelname', 'time', 'timestamp', 'ts', '@timestamp']);

/** Parses a JSON log line. Returns `null` if the line is not a JSON object or is too long. */
export function jsonLine(line: string): JsonLine | null {
  if (line.length > MOST || !line.startsWith('{') || !line.trimEnd().endsWith('}')) return null;
  const parsed = objectIn(line);
  if (parsed === null) return null;
  const named = MESSAGES.find((name) => typeof parsed[name] === 'string');
  const fields = Object.entries(parsed)
    .filter(([name]) => name !== named && !LEFT_OUT.has(name))
    .map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return { message: named === undefined ? '' : String(parsed[named]), fields };
}

/**
 * Maximum nesting depth of JSON that is shown with indentation. For deeper JSON, the indentation would be longer than
 * the JSON text itself.
 */
const DEEPEST = 100;

/**
 * Formats a JSON log line as several indented lines. Returns `null` if the line is no JSON object or array, or is
 * nested too deeply.
 */
export function indented(line: string): string | null {
  if (!/^\s*[[{]/.test(line) || depthOf(line) > DEEPEST) return null;
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    // The log line is not valid JSON, so the log shows the line unchanged.
    return null;
  }
}

/**
 * Returns the nesting depth of a JSON text. An unclosed string reaches to the end of the text. Otherwise, a text with
 * many quotes would be slow to scan.
 */
function depthOf(line: string): number {
  let [depth, deepest] = [0, 0];
  for (const [bracket] of line.matchAll(/"(?:[^"\\]|\\[\s\S])*"?|[[{\]}]/g)) {
    if (bracket === '[' || bracket === '{') depth += 1;
    else if (bracket === ']' || bracket === '}') depth -= 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

function objectIn(line: string): Record<string, unknown> | null {
  try {
    const parsed: unknown = JSON.parse(line);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : null;
  } catch {
    // The log line is not valid JSON, so the log shows the line unchanged.
    return null;
  }
}
