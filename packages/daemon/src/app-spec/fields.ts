export type Fields = Record<string, unknown>;

/** Returns whether a JSON value is an object. Only objects are merged and compared field by field. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
