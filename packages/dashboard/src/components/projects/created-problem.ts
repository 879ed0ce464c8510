import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/** What a refusal says of the name that was chosen: that it is no name, or that it is taken. */
export function nameProblem(error: Error | null, field: string): string | null {
  if (error instanceof DavitError && error.code === 'conflict') return error.message;
  return errorFor(error, field);
}
