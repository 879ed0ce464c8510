import type { Reader, Tx } from './store.ts';

export interface ScheduleRow {
  id: number;
  app_id: number;
  name: string | null;
  cron: string;
  time_zone: string;
  /** JSON of its arguments. */
  command: string;
  timeout_s: number;
  enabled: number;
  /** Null: it is not enabled. */
  next_run_at: number | null;
  created_by: string;
  created_at: number;
  updated_at: number;
}

const COLUMNS =
  'id, app_id, name, cron, time_zone, command, timeout_s, enabled, next_run_at, created_by, created_at, updated_at';

export function scheduleById(db: Reader, id: number): ScheduleRow | undefined {
  return db.get(`SELECT ${COLUMNS} FROM schedules WHERE id = ?`, id);
}

/** Oldest first. */
export function schedulesOfApp(db: Reader, appId: number): ScheduleRow[] {
  return db.all(`SELECT ${COLUMNS} FROM schedules WHERE app_id = ? ORDER BY id`, appId);
}

/** Those whose time has come, the earliest first; none of apps that are marked deleted. */
export function dueSchedules(db: Reader, at: number): (ScheduleRow & { next_run_at: number })[] {
  return db.all(
    `SELECT ${COLUMNS} FROM schedules s WHERE next_run_at <= ?
       AND EXISTS (SELECT 1 FROM apps a WHERE a.id = s.app_id AND a.deleted_at IS NULL) ORDER BY next_run_at, id`,
    at,
  );
}

/** When the next schedule is due; null when there is none. */
export function nextDue(db: Reader): number | null {
  return db.get<{ at: number | null }>('SELECT min(next_run_at) AS at FROM schedules')?.at ?? null;
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

/** In the order in which both statements name their columns. */
function valuesOf({ name, cron, timeZone, command, timeoutS, enabled, nextRunAt }: ScheduleFields) {
  return [name, cron, timeZone, JSON.stringify(command), timeoutS, enabled ? 1 : 0, nextRunAt];
}

export function insertSchedule(tx: Tx, appId: number, by: string, fields: ScheduleFields, at: number): number {
  const { id } = tx.run(
    `INSERT INTO schedules (app_id, name, cron, time_zone, command, timeout_s, enabled, next_run_at, created_by, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    appId,
    ...valuesOf(fields),
    by,
    at,
    at,
  );
  tx.event({ kind: 'app', appId, data: { change: 'schedules', schedule: id } });
  return id;
}

export function changeSchedule(tx: Tx, row: ScheduleRow, fields: ScheduleFields, at: number): void {
  tx.run(
    `UPDATE schedules SET name = ?, cron = ?, time_zone = ?, command = ?, timeout_s = ?, enabled = ?, next_run_at = ?, updated_at = ?
      WHERE id = ?`,
    ...valuesOf(fields),
    at,
    row.id,
  );
  tx.event({ kind: 'app', appId: row.app_id, data: { change: 'schedules', schedule: row.id } });
}

/** Moves a schedule on to its next time: in the transaction that puts what happened at the one before on record. */
export function moveSchedule(tx: Tx, id: number, nextRunAt: number | null): void {
  tx.run('UPDATE schedules SET next_run_at = ? WHERE id = ?', nextRunAt, id);
}

export function deleteSchedule(tx: Tx, row: ScheduleRow): void {
  tx.run('DELETE FROM schedules WHERE id = ?', row.id);
  tx.event({ kind: 'app', appId: row.app_id, data: { change: 'schedules', schedule: row.id } });
}
