/** Values of a Compose file, which may be anything at any place. */

export type Values = Record<string, unknown>;

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A value of a mapping; nothing when there is none, or it is empty. */
export function at(values: unknown, key: string): unknown {
  return isValues(values) && Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined;
}

/** Text, or a number or truth value as it is written; null: it is neither. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return null;
}

/** A list, or a single value as a list of one. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/** `NAME=value` lines or a mapping, in their order; a value that is not given is null. */
export function pairsOf(value: unknown): [name: string, value: string | null][] {
  if (isValues(value)) return Object.entries(value).map(([name, one]) => [name, textOf(one)]);
  return listOf(value).flatMap((line): [string, string | null][] => {
    const text = textOf(line);
    if (text === null) return [];
    const equals = text.indexOf('=');
    return [equals < 0 ? [text, null] : [text.slice(0, equals), text.slice(equals + 1)]];
  });
}
