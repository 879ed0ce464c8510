import { type Fields, isFields } from '../app-spec/fields.ts';

/**
 * Lays a JSON merge patch (RFC 7396) over an object: objects merge, everything else replaces, null removes.
 * @param kept names of top-level fields for which null is a value of its own
 */
export function mergePatch(target: Fields, patch: Fields, kept: readonly string[] = []): Fields {
  // A map, and not assignments: a field called `__proto__` must be a field like any other.
  const merged = new Map(Object.entries(target));
  for (const [key, value] of Object.entries(patch)) {
    if (value === null && !kept.includes(key)) merged.delete(key);
    else merged.set(key, isFields(value) ? mergePatch(asFields(merged.get(key)), value) : value);
  }
  return Object.fromEntries(merged);
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
