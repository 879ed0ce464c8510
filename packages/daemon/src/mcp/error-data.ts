import type { DavitError, FieldProblem } from '@davit/api';
import { readable } from './text.ts';

/**
 * Key of the API error in `_meta`, which is the field of an MCP result for additional data. The MCP specification
 * requires a prefix such as `davit/` for these keys.
 */
export const ERROR_META = 'davit/error';

export type ErrorData = Pick<DavitError, 'status' | 'code' | 'retryable' | 'fields'>;

export function errorData({ status, code, retryable, fields }: ErrorData): ErrorData {
  return { status, code, retryable, fields: fields.map(readableField) };
}

/**
 * Removes invisible characters from the path and the message of a field error. Both may contain names that other users
 * chose.
 */
function readableField({ path, code, message }: FieldProblem): FieldProblem {
  return { path: readable(path), code, message: readable(message) };
}
