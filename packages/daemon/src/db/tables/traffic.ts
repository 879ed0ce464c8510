import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const TRAFFIC = selectFrom('traffic', 'at, data');

/** Requests to apps in one time step. */
export type TrafficRow = Row<typeof TRAFFIC>;

const NEWEST = select({ at: orNull(sql.integer('max(at)')) });
const ROUTE = selectFrom('routes', 'app_id');

/** Returns the rows with one step length that end after `start` and not after `end`, oldest first. */
export function trafficRows(db: Reader, stepS: number, start: number, end: number): TrafficRow[] {
  return db.all(TRAFFIC.from('traffic WHERE step_s = ? AND at > ? AND at <= ? ORDER BY at'), stepS, start, end);
}

/** Returns the end of the newest row with one step length, or 0 if there is none. */
export function newestTrafficAt(db: Reader, stepS: number): number {
  return db.get(NEWEST.from('traffic WHERE step_s = ?'), stepS)?.at ?? 0;
}

/** Writes a row, or replaces the row of the same time step. If the clock is set back, the same steps occur again. */
export function writeTrafficRow(tx: Tx, stepS: number, { at, data }: TrafficRow): void {
  insertOrReplace(tx, 'traffic', { step_s: stepS, at, data });
}

/** Deletes the rows whose step ends before `oldest` or after `newest`. */
export function trimTrafficRows(tx: Tx, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM traffic WHERE step_s = ? AND (at < ? OR at > ?)', stepS, oldest, newest);
}

const COUNTS = selectFrom('traffic_counts', 'process, data');

/** Last counters of one proxy process. */
export type TrafficCountsRow = Row<typeof COUNTS>;

/** Returns the counters, newest process first. */
export function trafficCounts(db: Reader): TrafficCountsRow[] {
  return db.all(COUNTS.from('traffic_counts ORDER BY process DESC'));
}

/** Replaces the counters of these processes, and deletes the counters of processes before `oldest`. */
export function writeTrafficCounts(tx: Tx, rows: readonly TrafficCountsRow[], oldest: number): void {
  for (const { process, data } of rows) insertOrReplace(tx, 'traffic_counts', { process, data });
  tx.run('DELETE FROM traffic_counts WHERE process < ?', oldest);
}

/** Returns the app of a proxy backend, or `undefined` if the backend has no app. */
export function appOfSlot(db: Reader, slot: number): number | undefined {
  return db.get(ROUTE.from('routes WHERE slot = ?'), slot)?.app_id;
}
