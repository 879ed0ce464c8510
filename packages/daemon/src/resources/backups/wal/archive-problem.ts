/**
 * Problem that prevents a database's log from reaching its destination. The log then fills the disk of the database, so
 * that users must see a warning, not only a log line.
 * The problem is only in memory, because the first pass after a restart detects it again.
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

/** Records or clears the problem of a database. @param why reason as a sentence, or `null` if the log arrives again */
export function noteLogTrouble(store: Reader, databaseId: number, why: string | null, now: number): void {
  const troubles = TROUBLES.get(store) ?? new Map<number, LogTrouble>();
  TROUBLES.set(store, troubles);
  if (why === null) troubles.delete(databaseId);
  else troubles.set(databaseId, { since: troubles.get(databaseId)?.since ?? now, why });
}
