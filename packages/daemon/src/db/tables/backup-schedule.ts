import { columnsOf, orNull, type Row, required, select, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';

const s = columnsOf('backup_schedules');
const SCHEDULE = select(s);

export type BackupScheduleRow = Row<typeof SCHEDULE>;

const DUE = select({ ...s, next_at: required(s.next_at) });
const NEXT = select({ at: orNull(sql.integer('min(next_at)')) });

export function backupScheduleOf(db: Reader, databaseId: number): BackupScheduleRow | undefined {
  return db.get(SCHEDULE.from('backup_schedules WHERE database_id = ?'), databaseId);
}

export function allBackupSchedules(db: Reader): BackupScheduleRow[] {
  return db.all(SCHEDULE.from('backup_schedules ORDER BY database_id'));
}

/**
 * Returns the backup schedules whose next backup is due, earliest first.
 * @param at milliseconds since the epoch
 */
export function dueBackupSchedules(db: Reader, at: number): Row<typeof DUE>[] {
  return db.all(DUE.from('backup_schedules WHERE next_at <= ? ORDER BY next_at, database_id'), at);
}

/** Returns the time of the next scheduled backup of any database, or `null` if there is none. */
export function nextBackupDue(db: Reader): number | null {
  return db.get(NEXT.from('backup_schedules'))?.at ?? null;
}

export type BackupScheduleFields = Omit<BackupScheduleRow, 'database_id' | 'missed' | 'created_at' | 'updated_at'>;

export function putBackupSchedule(tx: Tx, databaseId: number, fields: BackupScheduleFields, at: number): void {
  tx.run(
    `INSERT INTO backup_schedules (database_id, cron, time_zone, keep, destination, verify_every_days, point_in_time, next_at, created_at, updated_at)
     VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?9)
     ON CONFLICT (database_id) DO UPDATE SET cron = ?2, time_zone = ?3, keep = ?4, destination = ?5, verify_every_days = ?6,
       point_in_time = ?7, next_at = ?8, missed = NULL, updated_at = ?9`,
    ...[databaseId, fields.cron, fields.time_zone, fields.keep, fields.destination, fields.verify_every_days],
    ...[fields.point_in_time, fields.next_at, at],
  );
}

/** Returns whether the backup schedule of a database uses an object store of another project. */
export function usesStoreOfOthers(db: Reader, databaseId: number, projectId: number): boolean {
  const found = db.get(
    SCHEDULE.from(`backup_schedules s
      WHERE database_id = ? AND EXISTS (SELECT 1 FROM object_stores o
        WHERE o.name = json_extract(s.destination, '$.object_store') AND o.project_id <> ?)`),
    databaseId,
    projectId,
  );
  return found !== undefined;
}

/**
 * Sets the time of the next scheduled backup.
 * @param missed sentence that explains why the last scheduled backup was skipped, or `null` if it was not skipped
 */
export function moveBackupSchedule(tx: Tx, databaseId: number, nextAt: number | null, missed: string | null): void {
  tx.run('UPDATE backup_schedules SET next_at = ?, missed = ? WHERE database_id = ?', nextAt, missed, databaseId);
}

/**
 * Deletes the backup schedule of a database.
 * @returns whether the database had a backup schedule
 */
export function deleteBackupSchedule(tx: Tx, databaseId: number): boolean {
  return tx.run('DELETE FROM backup_schedules WHERE database_id = ?', databaseId).changes > 0;
}
