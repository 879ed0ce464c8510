/** YAML mapping in a Compose file. Its values are not validated, so they can have any type. */

export type Values = Record<string, unknown>;

export function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the value of a key in a mapping. Returns `undefined` if the key is absent or its value is `null`. */
export function at(values: unknown, key: string): unknown {
  return isValues(values) && Object.hasOwn(values, key) ? (values[key] ?? undefined) : undefined;
}

/** Converts a string, number or boolean to text. Returns `null` for other values. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  return null;
}

/**
 * Converts a value to a list. A list is not changed, a single value becomes a list with one item, and `null` becomes an
 * empty list.
 */
export function listOf(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

/**
 * Converts a mapping, or a list of `NAME=value` texts, to pairs of name and value. If the value is absent, it is `null`
 * in the pair.
 */
export function pairsOf(value: unknown): [name: string, value: string | null][] {
  if (isValues(value)) return Object.entries(value).map(([name, one]) => [name, textOf(one)]);
  return listOf(value).flatMap((line): [string, string | null][] => {
    const text = textOf(line);
    if (text === null) return [];
    const equals = text.indexOf('=');
    return [equals < 0 ? [text, null] : [text.slice(0, equals), text.slice(equals + 1)]];
  });
}
