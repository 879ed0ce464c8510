import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/** Returns the server's error message about the chosen name, or `null`. The name is invalid or already exists. */
export function nameProblem(error: Error | null, field: string): string | null {
  if (error instanceof DavitError && error.code === 'conflict') return error.message;
  return errorFor(error, field);
}
