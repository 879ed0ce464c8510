import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/**
 * Returns the server's error message if the name of a new resource is invalid or already exists. Returns `null` for
 * other errors.
 */
export function nameProblem(error: Error | null, field: string): string | null {
  if (error instanceof DavitError && error.code === 'conflict') return error.message;
  return errorFor(error, field);
}
