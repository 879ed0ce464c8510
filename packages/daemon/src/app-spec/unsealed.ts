/**
 * Handles encrypted database values that were changed outside Davit and cannot be decrypted. The error messages say
 * what users can do.
 */
import { DavitError } from '@davit/api';
import { SealBroken } from '../db/seal.ts';

/**
 * Decrypts a value for a caller that cannot continue without it.
 * @param message says which value cannot be decrypted, that it was changed outside Davit, and what to do
 * @throws DavitError conflict with that message
 */
export function unsealed<T>(open: () => T, message: string): T {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new DavitError('conflict', message, { cause });
  }
}

/**
 * Decrypts a value for a caller that can continue without it.
 * @returns `undefined` if the value cannot be decrypted
 */
export function unlessBroken<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return undefined;
  }
}

/**
 * Returns a `conflict` error for a value that cannot be decrypted, if the caller has no better message. The message
 * says which database value it is: it contains the additional authenticated data (AAD), which is not secret.
 */
export function sealRefusal(cause: SealBroken): DavitError {
  const message = `The stored value ${cause.place} cannot be decrypted, because it was changed outside Davit. ${whatNow(cause.place)}`;
  return new DavitError('conflict', message, { cause });
}

function whatNow(place: string): string {
  const found = WHAT_NOW.find(([begins]) => place.startsWith(begins));
  return found?.[1] ?? RECORDS;
}

const RECORDS = 'Set the value again, or restore the file davit.db of this instance from a copy.';

/**
 * Instructions for users, by the prefix of a value's additional authenticated data (AAD). A value without an entry
 * gets general instructions.
 */
const WHAT_NOW: readonly (readonly [string, string])[] = [
  [
    'databases/',
    'Restore the file davit.db of this instance from a copy, or restore the latest backup of the database into a new database.',
  ],
  ['stores/', 'Set the keys of the object store again, or restore the file davit.db of this instance from a copy.'],
  ['tasks/', 'Start the task again.'],
];
