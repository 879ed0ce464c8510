import type { Reader, Tx } from './store.ts';

/** What was asked of apps in one step. */
export interface TrafficRow {
  /** The step's end, milliseconds since the epoch. */
  at: number;
  data: Uint8Array;
}

/** The steps of one length that end after `start` and by `end`, oldest first. */
export function trafficRows(db: Reader, stepS: number, start: number, end: number): TrafficRow[] {
  return db.all('SELECT at, data FROM traffic WHERE step_s = ? AND at > ? AND at <= ? ORDER BY at', stepS, start, end);
}

/** The end of the newest step of one length; 0 for none. */
export function newestTrafficAt(db: Reader, stepS: number): number {
  return db.get<{ at: number | null }>('SELECT max(at) AS at FROM traffic WHERE step_s = ?', stepS)?.at ?? 0;
}

/** Replaces what there is of the same step: a clock that was set back goes through it again. */
export function writeTrafficRow(tx: Tx, stepS: number, { at, data }: TrafficRow): void {
  tx.run('INSERT OR REPLACE INTO traffic (step_s, at, data) VALUES (?, ?, ?)', stepS, at, data);
}

/** Forgets the steps that end outside of a time, both ends kept. */
export function trimTrafficRows(tx: Tx, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM traffic WHERE step_s = ? AND (at < ? OR at > ?)', stepS, oldest, newest);
}

/** Where the counters of one process of the proxy stood. */
export interface TrafficCountsRow {
  process: number;
  data: Uint8Array;
}

/** Newest process first. */
export function trafficCounts(db: Reader): TrafficCountsRow[] {
  return db.all('SELECT process, data FROM traffic_counts ORDER BY process DESC');
}

/** Puts these in the place of all that there are of the same processes, and forgets older processes. */
export function writeTrafficCounts(tx: Tx, rows: readonly TrafficCountsRow[], oldest: number): void {
  for (const { process, data } of rows)
    tx.run('INSERT OR REPLACE INTO traffic_counts (process, data) VALUES (?, ?)', process, data);
  tx.run('DELETE FROM traffic_counts WHERE process < ?', oldest);
}

/** The app behind one of the proxy's backends; undefined when it is nobody's. */
export function appOfSlot(db: Reader, slot: number): number | undefined {
  return db.get<{ app_id: number }>('SELECT app_id FROM routes WHERE slot = ?', slot)?.app_id;
}
