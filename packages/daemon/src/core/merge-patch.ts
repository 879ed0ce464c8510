type Fields = Record<string, unknown>;

/**
 * Lays a JSON merge patch (RFC 7396) over an object: objects merge, everything else replaces, null removes.
 * @param kept names of top-level fields for which null is a value of its own
 */
export function mergePatch(target: Fields, patch: Fields, kept: readonly string[] = []): Fields {
  const merged: Fields = { ...target };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null && !kept.includes(key)) delete merged[key];
    else merged[key] = isFields(value) ? mergePatch(asFields(merged[key]), value) : value;
  }
  return merged;
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function asFields(value: unknown): Fields {
  return isFields(value) ? value : {};
}
