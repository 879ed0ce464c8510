import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/** Returns the error about the chosen name: the name is invalid or already exists. */
export function nameProblem(error: Error | null, field: string): string | null {
  if (error instanceof DavitError && error.code === 'conflict') return error.message;
  return errorFor(error, field);
}
