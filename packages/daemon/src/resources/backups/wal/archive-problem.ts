/**
 * Why the log of a database does not arrive where its backups are. It waits on the database's own disk meanwhile, which it
 * fills: that must not be a line in a log alone. Found anew within a pass after a restart, and therefore on no record.
 */
import type { Reader } from '../../../db/store.ts';

export interface LogTrouble {
  /** Milliseconds since the epoch. */
  since: number;
  /** A sentence. */
  why: string;
}

const TROUBLES = new WeakMap<Reader, Map<number, LogTrouble>>();

export function logTroubleOf(store: Reader, databaseId: number): LogTrouble | undefined {
  return TROUBLES.get(store)?.get(databaseId);
}

/** @param why null: it arrives again */
export function noteLogTrouble(store: Reader, databaseId: number, why: string | null, now: number): void {
  const troubles = TROUBLES.get(store) ?? new Map<number, LogTrouble>();
  TROUBLES.set(store, troubles);
  if (why === null) troubles.delete(databaseId);
  else troubles.set(databaseId, { since: troubles.get(databaseId)?.since ?? now, why });
}
