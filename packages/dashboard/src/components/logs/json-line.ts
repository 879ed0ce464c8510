/** JSON log line in readable form. The message comes first, then the other fields. */
export interface JsonLine {
  message: string;
  fields: [name: string, value: string][];
}

/**
 * Maximum length in characters of a JSON log line that is parsed. A longer line is shown unchanged, because parsing the
 * line would delay scrolling.
 */
const MOST = 16_384;
const MESSAGES = ['msg', 'message', 'event', 'text'];
/**
 * Fields of a JSON log line that are not shown in the message. These fields contain the level and the time, which the
 * log page shows in separate columns.
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
 * Formats a JSON log line as several indented lines. Returns `null` if the line is not a JSON object or array, or has
 * too many nested levels.
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
 * Returns the nesting depth of a JSON text. If a string has no closing quote, the string ends at the end of the text.
 * Otherwise, the scan of a text with many quotes would be slow.
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
