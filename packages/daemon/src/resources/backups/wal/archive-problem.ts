/**
 * Problems that prevent the WAL of a database from reaching its backup destination. The WAL then fills the disk of the
 * database, so users see a warning. Problems are only in memory, because the first pass after a daemon restart detects
 * them again.
 */
import type { Reader } from '../../../db/store.ts';

export interface LogTrouble {
  /** Start of the problem, in milliseconds since the epoch. */
  since: number;
  /** Reason as a sentence. */
  why: string;
}

const TROUBLES = new WeakMap<Reader, Map<number, LogTrouble>>();

export function logTroubleOf(store: Reader, databaseId: number): LogTrouble | undefined {
  return TROUBLES.get(store)?.get(databaseId);
}

/**
 * Records or clears the WAL problem of a database.
 * @param why reason as a sentence, or `null` if the WAL is archived again
 */
export function noteLogTrouble(store: Reader, databaseId: number, why: string | null, now: number): void {
  const troubles = TROUBLES.get(store) ?? new Map<number, LogTrouble>();
  TROUBLES.set(store, troubles);
  if (why === null) troubles.delete(databaseId);
  else troubles.set(databaseId, { since: troubles.get(databaseId)?.since ?? now, why });
}
