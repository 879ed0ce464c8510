/** A JSON object, of whatever shape. */
export type Fields = Record<string, unknown>;

/** Whether a value of JSON is an object: what is laid over, or compared with, another one field by field. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
