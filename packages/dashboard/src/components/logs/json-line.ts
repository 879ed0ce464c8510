/** A line of JSON as people read it: what it says first, then its other fields. */
export interface JsonLine {
  message: string;
  fields: [name: string, value: string][];
}

/** Longer ones are shown as they are: parsing them would hold up scrolling. */
const MOST = 16_384;
const MESSAGES = ['msg', 'message', 'event', 'text'];
/** Said beside the line already. */
const LEFT_OUT = new Set(['level', 'severity', 'lvl', 'levelname', 'time', 'timestamp', 'ts', '@timestamp']);

/** Null: it is none. */
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

/** Deeper than anybody reads: what every line is moved in by would be more than the line. */
const DEEPEST = 100;

/** The whole of it over several lines; null: it is no object or list, or none for people. */
export function indented(line: string): string | null {
  if (!/^\s*[[{]/.test(line) || depthOf(line) > DEEPEST) return null;
  try {
    return JSON.stringify(JSON.parse(line), null, 2);
  } catch {
    // What only looks like JSON is shown as it is.
    return null;
  }
}

/** A text that is not closed is taken to its end: looking for one behind each of its quotes would take for ever. */
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
    // The same.
    return null;
  }
}
