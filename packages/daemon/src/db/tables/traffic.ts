import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrReplace } from '../write.ts';

const TRAFFIC = selectFrom('traffic', 'at, data');

/** What was asked of apps in one step. */
export type TrafficRow = Row<typeof TRAFFIC>;

const NEWEST = select({ at: orNull(sql.integer('max(at)')) });
const ROUTE = selectFrom('routes', 'app_id');

/** The steps of one length that end after `start` and by `end`, oldest first. */
export function trafficRows(db: Reader, stepS: number, start: number, end: number): TrafficRow[] {
  return db.all(TRAFFIC.from('traffic WHERE step_s = ? AND at > ? AND at <= ? ORDER BY at'), stepS, start, end);
}

/** The end of the newest step of one length; 0 for none. */
export function newestTrafficAt(db: Reader, stepS: number): number {
  return db.get(NEWEST.from('traffic WHERE step_s = ?'), stepS)?.at ?? 0;
}

/** Replaces what there is of the same step: a clock that was set back goes through it again. */
export function writeTrafficRow(tx: Tx, stepS: number, { at, data }: TrafficRow): void {
  insertOrReplace(tx, 'traffic', { step_s: stepS, at, data });
}

/** Forgets the steps that end outside of a time, both ends kept. */
export function trimTrafficRows(tx: Tx, stepS: number, oldest: number, newest: number): void {
  tx.run('DELETE FROM traffic WHERE step_s = ? AND (at < ? OR at > ?)', stepS, oldest, newest);
}

const COUNTS = selectFrom('traffic_counts', 'process, data');

/** Where the counters of one process of the proxy stood. */
export type TrafficCountsRow = Row<typeof COUNTS>;

/** Newest process first. */
export function trafficCounts(db: Reader): TrafficCountsRow[] {
  return db.all(COUNTS.from('traffic_counts ORDER BY process DESC'));
}

/** Puts these in the place of all that there are of the same processes, and forgets older processes. */
export function writeTrafficCounts(tx: Tx, rows: readonly TrafficCountsRow[], oldest: number): void {
  for (const { process, data } of rows) insertOrReplace(tx, 'traffic_counts', { process, data });
  tx.run('DELETE FROM traffic_counts WHERE process < ?', oldest);
}

/** The app behind one of the proxy's backends; undefined when it is nobody's. */
export function appOfSlot(db: Reader, slot: number): number | undefined {
  return db.get(ROUTE.from('routes WHERE slot = ?'), slot)?.app_id;
}
