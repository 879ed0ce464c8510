import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const TRAFFIC = selectFrom('traffic', 'at, data');

/** Encoded request counts of all apps in one time interval. */
export type TrafficRow = Row<typeof TRAFFIC>;

const NEWEST = select({ at: orNull(sql.integer('max(at)')) });
const ROUTE = selectFrom('routes', 'app_id');

/**
 * Returns the request counts of the time intervals that end after `start` and not after `end`, oldest first.
 * @param stepS length of an interval in seconds
 */
export function trafficRows(db: Reader, stepS: number, start: number, end: number): TrafficRow[] {
  return db.all(TRAFFIC.from('traffic WHERE step_s = ? AND at > ? AND at <= ? ORDER BY at'), stepS, start, end);
}

/**
 * Returns the end of the newest time interval with stored request counts, in milliseconds since the epoch. Returns 0 if
 * no counts are stored.
 * @param stepS length of the interval in seconds
 */
export function newestTrafficAt(db: Reader, stepS: number): number {
  return db.get(NEWEST.from('traffic WHERE step_s = ?'), stepS)?.at ?? 0;
}

/**
 * Stores the request counts of a time interval. If the clock was set back, earlier counts of the same interval are
 * replaced.
 * @param stepS length of the interval in seconds
 */
export function writeTrafficRow(tx: Tx, stepS: number, { at, data }: TrafficRow): void {
  insertOrReplace(tx, 'traffic', { step_s: stepS, at, data });
}

/**
 * Deletes the request counts whose time interval ends before `oldest` or after `newest`. Both times are in milliseconds
 * since the epoch.
 */
export function trimTrafficRows(tx: Tx, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM traffic WHERE step_s = ? AND (at < ? OR at > ?)', stepS, oldest, newest);
}

const COUNTS = selectFrom('traffic_counts', 'process, data');

/** Last known request counters of one HAProxy process. */
export type TrafficCountsRow = Row<typeof COUNTS>;

/** Returns the last known request counters of all HAProxy processes, newest process first. */
export function trafficCounts(db: Reader): TrafficCountsRow[] {
  return db.all(COUNTS.from('traffic_counts ORDER BY process DESC'));
}

/**
 * Replaces the request counters of the given HAProxy processes. Deletes the counters of other HAProxy processes that
 * started before `oldest`.
 */
export function writeTrafficCounts(tx: Tx, rows: readonly TrafficCountsRow[], oldest: number): void {
  for (const { process, data } of rows) insertOrReplace(tx, 'traffic_counts', { process, data });
  tx.run('DELETE FROM traffic_counts WHERE process < ?', oldest);
}

/**
 * Returns the id of the app to which a HAProxy backend belongs. Returns `undefined` if the backend belongs to no app.
 * @param slot number of the HAProxy backend
 */
export function appOfSlot(db: Reader, slot: number): number | undefined {
  return db.get(ROUTE.from('routes WHERE slot = ?'), slot)?.app_id;
}
