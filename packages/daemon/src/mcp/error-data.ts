/** What a refusal says to programs, beside its sentence. */
import type { DavitError, FieldProblem } from '@davit/api';
import { readable } from './text.ts';

/** The key of a refusal in `_meta`: names with a prefix are for extensions of the protocol. */
export const ERROR_META = 'davit/error';

export type ErrorData = Pick<DavitError, 'status' | 'code' | 'retryable' | 'fields'>;

export function errorData({ status, code, retryable, fields }: ErrorData): ErrorData {
  return { status, code, retryable, fields: fields.map(readableField) };
}

/** Paths and sentences have names in them that others chose. */
function readableField({ path, code, message }: FieldProblem): FieldProblem {
  return { path: readable(path), code, message: readable(message) };
}
