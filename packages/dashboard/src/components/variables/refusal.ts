import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/**
 * Returns the server's error message about one environment variable, or `null`. The error identifies the variable by
 * its name or by its path in the request.
 */
export function refusalOf(error: Error | null, key: string): string | null {
  for (const field of [`set.${key}`, `vars.${key}`, key]) {
    const sentence = errorFor(error, field);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** Returns an error that belongs to none of the shown environment variables, otherwise `null`. */
export function refusalBeside(error: Error | null, keys: readonly string[]): Error | null {
  if (hasChanged(error)) return null;
  return keys.some((key) => refusalOf(error, key) !== null) ? null : error;
}

/** Returns whether the save failed because another user changed the variables meanwhile. */
export function hasChanged(error: Error | null): boolean {
  return error instanceof DavitError && error.code === 'precondition_failed';
}
