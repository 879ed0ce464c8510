import { columnsOf, orNull, type Row, required, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';

const s = columnsOf('schedules', 's');
const SCHEDULE = select(s);
const DUE = select({ ...s, next_run_at: required(s.next_run_at) });
const NEXT = select({ at: orNull(sql.integer('min(next_run_at)')) });

export type ScheduleRow = Row<typeof SCHEDULE>;

export function scheduleById(db: Reader, id: number): ScheduleRow | undefined {
  return db.get(SCHEDULE.from('schedules s WHERE id = ?'), id);
}

/** Returns the cron schedules of an app, oldest first. */
export function schedulesOfApp(db: Reader, appId: number): ScheduleRow[] {
  return db.all(SCHEDULE.from('schedules s WHERE app_id = ? ORDER BY id'), appId);
}

/** Returns the cron schedules whose next run is due, earliest first. Schedules of deleted apps are omitted. */
export function dueSchedules(db: Reader, at: number): Row<typeof DUE>[] {
  return db.all(
    DUE.from(`schedules s WHERE next_run_at <= ?
       AND EXISTS (SELECT 1 FROM apps a WHERE a.id = s.app_id AND a.deleted_at IS NULL) ORDER BY next_run_at, id`),
    at,
  );
}

/** Returns the time of the next scheduled run of any app, or `null` if there is none. */
export function nextDue(db: Reader): number | null {
  return db.get(NEXT.from('schedules'))?.at ?? null;
}

export interface ScheduleFields {
  name: string | null;
  cron: string;
  timeZone: string;
  command: readonly string[];
  timeoutS: number;
  enabled: boolean;
  nextRunAt: number | null;
}

function columnsFor({ name, cron, timeZone, command, timeoutS, enabled, nextRunAt }: ScheduleFields) {
  return {
    ...{ name, cron, time_zone: timeZone, command: JSON.stringify(command), timeout_s: timeoutS },
    ...{ enabled: enabled ? 1 : 0, next_run_at: nextRunAt },
  };
}

export function insertSchedule(tx: Tx, appId: number, by: string, fields: ScheduleFields, at: number): number {
  const made = { created_by: by, created_at: at, updated_at: at };
  const id = insert(tx, 'schedules', { app_id: appId, ...columnsFor(fields), ...made });
  tx.event({ kind: 'app', appId, data: { change: 'schedules', schedule: id } });
  return id;
}

export function changeSchedule(tx: Tx, row: ScheduleRow, fields: ScheduleFields, at: number): void {
  update(tx, 'schedules', row.id, { ...columnsFor(fields), updated_at: at });
  tx.event({ kind: 'app', appId: row.app_id, data: { change: 'schedules', schedule: row.id } });
}

/**
 * Sets the time of a cron schedule's next run. Call this function in the transaction that inserts the current run.
 * Otherwise, a crash of the daemon could skip or repeat a run.
 */
export function moveSchedule(tx: Tx, id: number, nextRunAt: number | null): void {
  update(tx, 'schedules', id, { next_run_at: nextRunAt });
}

export function deleteSchedule(tx: Tx, row: ScheduleRow): void {
  tx.run('DELETE FROM schedules WHERE id = ?', row.id);
  tx.event({ kind: 'app', appId: row.app_id, data: { change: 'schedules', schedule: row.id } });
}
