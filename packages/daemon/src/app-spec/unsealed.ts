/** What was sealed and was changed outside Davit since: found in one place, told as a refusal that says what to do. */
import { DavitError } from '@davit/api';
import { SealBroken } from '../db/seal.ts';

/**
 * What is sealed, for who was asked for it.
 * @param message what cannot be opened, that it was changed outside Davit, and what to do
 * @throws DavitError conflict with that
 */
export function unsealed<T>(open: () => T, message: string): T {
  try {
    return open();
  } catch (cause) {
    if (!(cause instanceof SealBroken)) throw cause;
    throw new DavitError('conflict', message, { cause });
  }
}

/** What is sealed, where the rest is of use without it; undefined when it does not open. */
export function unlessBroken<T>(open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return undefined;
  }
}

/** A conflict where it was met by who has no better words; the place of a value is no secret. */
export function sealRefusal(cause: SealBroken): DavitError {
  const message = `What is kept at ${cause.place} cannot be opened, it was changed outside Davit: ${whatNow(cause.place)}.`;
  return new DavitError('conflict', message, { cause });
}

function whatNow(place: string): string {
  const found = WHAT_NOW.find(([begins]) => place.startsWith(begins));
  return found?.[1] ?? RECORDS;
}

const RECORDS = 'set it anew, or bring back the records of this instance (davit.db) from a copy';

/** By where the values belong; see the functions that name the places. */
const WHAT_NOW: readonly (readonly [string, string])[] = [
  [
    'databases/',
    'bring back the records of this instance (davit.db) from a copy, or restore the newest backup of the database into a new one',
  ],
  ['stores/', 'send its keys anew, or bring back the records of this instance (davit.db) from a copy'],
  ['tasks/', 'ask for the task anew'],
];
