/**
 * Handles encrypted values in the database that cannot be decrypted, because they were changed outside Davit. The error
 * messages contain instructions for users.
 */
import { DavitError } from '@davit/api';
import { SealBroken } from '../db/seal.ts';

/**
 * Decrypts a value from the database with the function `open`.
 * @param message error message for users. It says which value was changed outside Davit and what users can do.
 * @throws DavitError conflict with this message if the value cannot be decrypted
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
 * Decrypts a value from the database.
 * @returns `undefined` if the value cannot be decrypted, because it was changed outside Davit
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
 * Returns a `conflict` error for a value that cannot be decrypted. The message contains the location of the value, such
 * as `tasks/…`. The location is not secret.
 */
export function sealRefusal(cause: SealBroken): DavitError {
  const message = `The stored value ${cause.place} cannot be decrypted, because it was changed outside Davit. ${whatNow(cause.place)}`;
  return new DavitError('conflict', message, { cause });
}

function whatNow(location: string): string {
  const found = WHAT_NOW.find(([begins]) => location.startsWith(begins));
  return found?.[1] ?? RECORDS;
}

const RECORDS =
  'Replace the stored value with a new one, or restore the database of this instance (davit.db) from a copy.';

/**
 * Map from the prefix of an encrypted value's location to instructions for users. They apply if the value cannot be
 * decrypted. `RECORDS` contains the instructions for all other locations.
 */
const WHAT_NOW: readonly (readonly [string, string])[] = [
  [
    'databases/',
    'Restore the file davit.db of this instance from a copy. Or restore the latest backup of the app database into a new database.',
  ],
  [
    'stores/',
    'To replace the stored keys, set the access key and secret key of the object store again. Or restore the database of this instance (davit.db) from a copy.',
  ],
  ['tasks/', 'Start the task again.'],
];
