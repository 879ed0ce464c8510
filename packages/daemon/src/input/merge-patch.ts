import { type Fields, isFields } from '../app-spec/fields.ts';

/**
 * Applies a JSON merge patch (RFC 7396) to an object.
 * @param kept top-level fields for which `null` is a normal value. In other fields, `null` removes the field.
 */
export function mergePatch(target: Fields, patch: Fields, kept: readonly string[] = []): Fields {
  /*
   * The fields are stored in a `Map`. In an object, an assignment to a field named `__proto__` would change the
   * prototype.
   */
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
