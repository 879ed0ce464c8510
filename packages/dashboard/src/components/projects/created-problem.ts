import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/** Returns the server's error message about an invalid or existing name of a new resource, or `null`. */
export function nameProblem(error: Error | null, field: string): string | null {
  if (error instanceof DavitError && error.code === 'conflict') return error.message;
  return errorFor(error, field);
}
