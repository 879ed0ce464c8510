import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/**
 * Returns the server's error message about an environment variable, or `null`. The error contains either the name of
 * the variable or its path in the request.
 */
export function refusalOf(error: Error | null, key: string): string | null {
  for (const field of [`set.${key}`, `vars.${key}`, key]) {
    const sentence = errorFor(error, field);
    if (sentence !== null) return sentence;
  }
  return null;
}

/**
 * Returns the error of a failed save. Returns `null` if the dialog already shows the error next to a variable, or as a
 * change by another user.
 */
export function dialogErrorOf(error: Error | null, keys: readonly string[]): Error | null {
  if (hasChanged(error)) return null;
  return keys.some((key) => refusalOf(error, key) !== null) ? null : error;
}

/** Returns whether a save failed because another user had changed the environment variables in the meantime. */
export function hasChanged(error: Error | null): boolean {
  return error instanceof DavitError && error.code === 'precondition_failed';
}
