import { type Fields, isFields } from '../app-spec/fields.ts';

/**
 * Applies a JSON merge patch (RFC 7396) to an object: objects are merged, other values are replaced, and `null` removes
 * a field.
 * @param kept names of top-level fields for which `null` is a valid value
 */
export function mergePatch(target: Fields, patch: Fields, kept: readonly string[] = []): Fields {
  // A map is used instead of assignments, so that a field named `__proto__` is a normal field.
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
