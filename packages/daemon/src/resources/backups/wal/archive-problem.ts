/**
 * Problems with the archiving of WAL (write-ahead log). If archiving fails, WAL fills the disk. The problems are stored
 * only in memory, because the next attempt detects them again.
 */
import type { Reader } from '../../../db/store.ts';

export interface LogTrouble {
  /** Time when the problem began, in milliseconds since the epoch. */
  since: number;
  /** Reason for the problem, as a sentence for users. */
  why: string;
}

const TROUBLES = new WeakMap<Reader, Map<number, LogTrouble>>();

export function logTroubleOf(store: Reader, databaseId: number): LogTrouble | undefined {
  return TROUBLES.get(store)?.get(databaseId);
}

/**
 * Saves or deletes the current problem with the WAL archiving (write-ahead log) of a database.
 * @param why reason as a sentence, or `null` if archiving works again
 */
export function noteLogTrouble(store: Reader, databaseId: number, why: string | null, now: number): void {
  const troubles = TROUBLES.get(store) ?? new Map<number, LogTrouble>();
  TROUBLES.set(store, troubles);
  if (why === null) troubles.delete(databaseId);
  else troubles.set(databaseId, { since: troubles.get(databaseId)?.since ?? now, why });
}
