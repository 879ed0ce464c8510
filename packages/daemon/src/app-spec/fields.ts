export type Fields = Record<string, unknown>;

/**
 * Returns whether a JSON value is an object. Objects are merged and compared field by field, other values as a whole.
 */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
