import { DavitError } from '@davit/api';
import { errorFor } from '../../util/field-error.ts';

/** What the server said of one variable: it names it alone, or in the part of the request that it stood in. */
export function refusalOf(error: Error | null, key: string): string | null {
  for (const field of [`set.${key}`, `vars.${key}`, key]) {
    const sentence = errorFor(error, field);
    if (sentence !== null) return sentence;
  }
  return null;
}

/** What it said of none of them. */
export function refusalBeside(error: Error | null, keys: readonly string[]): Error | null {
  if (hasChanged(error)) return null;
  return keys.some((key) => refusalOf(error, key) !== null) ? null : error;
}

/** Somebody else changed what this change was made on. */
export function hasChanged(error: Error | null): boolean {
  return error instanceof DavitError && error.code === 'precondition_failed';
}
