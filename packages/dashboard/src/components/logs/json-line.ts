/** A readable form of a JSON line: the message first, then the other fields. */
export interface JsonLine {
  message: string;
  fields: [name: string, value: string][];
}

/** Maximum length of a line that is parsed. Longer lines stay as they are, because parsing would delay scrolling. */
const MOST = 16_384;
const MESSAGES = ['msg', 'message', 'event', 'text'];
/** Fields that the row already shows beside the message. */
const LEFT_OUT = new Set(['level', 'severity', 'lvl', 'levelname', 'time', 'timestamp', 'ts', '@timestamp']);

/** Returns the parsed line, or `null` if the line is no JSON object. */
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

/** Maximum depth for indentation. With deeper nesting, the indentation would be larger than the line itself. */
const DEEPEST = 100;

/**
 * Returns the JSON over several indented lines, or `null` if the line is no object or list, or is nested too deeply.
 */
export function indented(line: string): string | null {
  if (!/^\s*[[{]/.test(line) || depthOf(line) > DEEPEST) return null;
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    // A line that only resembles JSON is shown unchanged.
    return null;
  }
}

/**
 * Returns the nesting depth. An unclosed string counts as a string up to its end, because a search from each of its
 * quotes would take too long.
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
    // A line that only resembles JSON is shown unchanged.
    return null;
  }
}
