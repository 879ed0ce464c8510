/** Machine-readable data of an error. */
import type { DavitError, FieldProblem } from '@davit/api';
import { readable } from './text.ts';

/** Key of the error in `_meta`. Names with a prefix are reserved for extensions of the protocol. */
export const ERROR_META = 'davit/error';

export type ErrorData = Pick<DavitError, 'status' | 'code' | 'retryable' | 'fields'>;

export function errorData({ status, code, retryable, fields }: ErrorData): ErrorData {
  return { status, code, retryable, fields: fields.map(readableField) };
}

/** Cleans the path and the message of a field, because they may contain names that other users chose. */
function readableField({ path, code, message }: FieldProblem): FieldProblem {
  return { path: readable(path), code, message: readable(message) };
}
