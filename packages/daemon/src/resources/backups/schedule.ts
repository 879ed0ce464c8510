/** Functions of the HTTP API for the backup schedules of databases. */
import {
  type BackupDestination,
  type BackupSchedule,
  type BackupSchedulePut,
  DavitError,
  invalidField,
  timestamp,
} from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { Reader, Tx } from '../../db/store.ts';
import {
  type BackupScheduleRow,
  backupScheduleOf,
  deleteBackupSchedule,
  putBackupSchedule as putRow,
} from '../../db/tables/backup-schedule.ts';
import { type DatabaseRow, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { cronTimes } from '../../time/cron.ts';
import { DIALECTS } from '../databases/dialects/index.ts';
import { ARCHIVES } from '../databases/options.ts';
import type { BackupsDeps } from './deps.ts';
import { demandDestination } from './destination-check.ts';

/** Returns the backup schedule of a database. @throws DavitError not_found if the database has no schedule */
export function readBackupSchedule(db: Reader, database: DatabaseRow): BackupSchedule {
  const row = backupScheduleOf(db, database.id);
  if (row === undefined)
    throw new DavitError('not_found', 'The database has no backup schedule. Set one to back it up automatically.');
  return presentBackupSchedule(row, databaseReference(database));
}

/**
 * Sets the backup schedule of a database.
 * @throws DavitError conflict; invalid_input for an invalid schedule or unsupported point-in-time recovery
 */
export async function putBackupSchedule(
  core: BackupsDeps,
  ctx: OpContext,
  database: DatabaseRow,
  input: BackupSchedulePut,
): Promise<BackupSchedule> {
  const { cron, time_zone, keep, destination, verify_every_days, point_in_time } = input;
  if (point_in_time && !DIALECTS[database.engine].hasPointInTime)
    throw invalidField(
      'point_in_time',
      'not_allowed',
      `Only postgres supports point-in-time recovery, but this database uses ${database.engine}.`,
    );
  const demandSame = await demandDestination(core, ctx, database.project_id, destination);
  const next = (await cronTimes()).next(cron, time_zone, core.now());
  const fields = { cron, time_zone, keep, verify_every_days, next_at: next };
  core.store.tx((tx) => {
    demandSame(tx);
    const kept = { destination: JSON.stringify(destination), point_in_time: point_in_time ? 1 : 0 };
    putRow(tx, database.id, { ...fields, ...kept }, core.now());
    setArchiving(core, tx, database, point_in_time);
    recordScheduleChange(core, tx, database);
  });
  core.nudgeBackups();
  return readBackupSchedule(core.store, database);
}

/** Deletes the backup schedule of a database. @throws DavitError not_found if the database has no schedule */
export function removeBackupSchedule(core: BackupsDeps, _ctx: OpContext, database: DatabaseRow): void {
  readBackupSchedule(core.store, database);
  core.store.tx((tx) => {
    deleteBackupSchedule(tx, database.id);
    setArchiving(core, tx, database, false);
    recordScheduleChange(core, tx, database);
  });
  core.nudgeBackups();
}

/**
 * Enables or disables the archiving of a database's WAL (write-ahead log). If the database server needs other arguments
 * for this, a background job soon replaces its container.
 */
function setArchiving(core: BackupsDeps, tx: Tx, { id, options }: DatabaseRow, wanted: boolean): void {
  const further = wanted ? ARCHIVES : null;
  if (options === further) return;
  setDatabase(tx, id, { options: further }, { change: 'changed', at: core.now() });
  core.nudgeDatabases();
}

/** Adds a change of a backup schedule to the audit log, and publishes an event about the change. */
function recordScheduleChange({ store }: BackupsDeps, tx: Tx, database: DatabaseRow): void {
  setDatabase(tx, database.id, {}, { change: 'backups' });
  store.trail.about({ target: `${databaseReference(database)}/backups/schedule`, projectId: database.project_id });
}

export function presentBackupSchedule(row: BackupScheduleRow, database: string): BackupSchedule {
  const { cron, time_zone, keep, verify_every_days, point_in_time, next_at, missed, created_at, updated_at } = row;
  return {
    ...{ database, cron, time_zone, keep },
    destination: JSON.parse(row.destination) as BackupDestination,
    ...{ verify_every_days, point_in_time: point_in_time === 1 },
    next_at: timestamp(next_at),
    missed,
    created_at: timestamp(created_at),
    updated_at: timestamp(updated_at),
  };
}
