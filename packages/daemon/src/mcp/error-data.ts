import type { DavitError, FieldProblem } from '@davit/api';
import { readable } from './text.ts';

/**
 * Name of the API error in the object `_meta` of an MCP tool result. The MCP specification requires a prefix such as
 * `davit/`.
 */
export const ERROR_META = 'davit/error';

export type ErrorData = Pick<DavitError, 'status' | 'code' | 'retryable' | 'fields'>;

export function errorData({ status, code, retryable, fields }: ErrorData): ErrorData {
  return { status, code, retryable, fields: fields.map(readableField) };
}

/**
 * Removes invisible characters from the path and the message of a field error. The path and the message may contain
 * names that other users chose.
 */
function readableField({ path, code, message }: FieldProblem): FieldProblem {
  return { path: readable(path), code, message: readable(message) };
}
