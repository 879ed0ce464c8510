import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/**
 * Returns the server's error message about an environment variable, or `null`. The server names the variable directly
 * or by its path in the request body.
 */
export function refusalOf(error: Error | null, key: string): string | null {
  for (const field of [`set.${key}`, `vars.${key}`, key]) {
    const sentence = errorFor(error, field);
    if (sentence !== null) return sentence;
  }
  return null;
}

/**
 * Returns the error of a failed save if the dialog must show it as a separate message. Returns `null` if the error is
 * about one changed variable, because the list of changes shows it. Also returns `null` if another user changed the
 * variables.
 */
export function dialogErrorOf(error: Error | null, keys: readonly string[]): Error | null {
  if (hasChanged(error)) return null;
  return keys.some((key) => refusalOf(error, key) !== null) ? null : error;
}

/**
 * Returns whether the save failed because another user changed the environment variables after this page loaded them.
 */
export function hasChanged(error: Error | null): boolean {
  return error instanceof DavitError && error.code === 'precondition_failed';
}
