import { DavitError } from '@davit/api';
import { quote } from '@davit/service';
import type { z } from 'zod';

/** What is wrong with the first wrong field, as the sentence that the caller gets. */
export function fieldError(error: z.ZodError): DavitError {
  const [issue] = error.issues;
  if (issue === undefined) return new DavitError('invalid_input', undefined, { cause: error });
  // A path has names in it that the caller chose.
  const field = quote(issue.path.join('.'));
  return new DavitError('invalid_input', field === '' ? `${issue.message}.` : `${field}: ${issue.message}.`, {
    cause: error,
  });
}
