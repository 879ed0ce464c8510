/**
 * Handles encrypted values in the database that cannot be decrypted, because they were changed outside Davit. The error
 * messages tell users what to do.
 */
import { DavitError } from '@davit/api';
import { SealBroken } from '../db/seal.ts';

/**
 * Calls `open` to decrypt a value from the database.
 * @param message error message for users. It says which value was changed outside Davit, and what to do
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
 * Returns a `conflict` error for a stored value that cannot be decrypted. The error message says where the value is
 * stored, for example `tasks/…`. This text is not secret.
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
 * Texts that tell users what to do if a stored value cannot be decrypted. Each entry has a prefix, for example
 * `tasks/`, and the text for all values whose storage location starts with this prefix. Values at other locations get
 * the text `RECORDS`.
 */
const WHAT_NOW: readonly (readonly [string, string])[] = [
  [
    'databases/',
    'Restore the database of this instance (davit.db) from a copy, or restore the latest backup of the app database into a new database.',
  ],
  [
    'stores/',
    'To replace the stored keys, set the access key and secret key of the object store again. Or restore the database of this instance (davit.db) from a copy.',
  ],
  ['tasks/', 'Start the task again.'],
];
