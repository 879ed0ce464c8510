/**
 * Finds the databases that can be restored from a backup. For other databases, returns the reason why a restore is not
 * possible.
 */
import { type BackupCoverage, timestamp } from '@davit/api';
import { sentence } from '../../app-spec/sentence.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { type BackupRow, goodBackups, lastEndedBackup } from '../../db/tables/backup.ts';
import { allBackupSchedules, type BackupScheduleRow, backupScheduleOf } from '../../db/tables/backup-schedule.ts';
import {
  type DatabaseRow,
  databaseById,
  databaseReference,
  listDatabaseRows,
} from '../../db/tables/managed-database.ts';
import { lastEndedTaskOf } from '../../db/tables/task.ts';
import { mapPage, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import type { BackupsDeps } from './deps.ts';
import { pointInTimeOf, pointInTimeTrouble } from './point-in-time.ts';
import { isVerified } from './retention.ts';
import { presentBackupSchedule } from './schedule.ts';
import type { DumpFacts } from './tools/tool.ts';
import { verificationOverdueSince } from './verification.ts';

type Clocked = Pick<BackupsDeps, 'store' | 'now'>;

/**
 * Lists the databases that the user can see, sorted by their reference `project/environment/name`. Each entry contains
 * the last successful backup and problems with backups.
 */
export function listBackupCoverage(core: BackupsDeps, { actor }: OpContext, query: PageQuery): Page<BackupCoverage> {
  const page = pageOf(listDatabaseRows(core.store, actor.projects), databaseReference, query);
  return mapPage(page, (row) => coverageOf(core, row));
}

function coverageOf({ store: db, now }: Clocked, row: DatabaseRow): BackupCoverage {
  const good = goodBackups(db, row.id).filter(({ kind }) => kind === 'dump');
  const schedule = backupScheduleOf(db, row.id);
  const verified = good.filter(isVerified);
  const times = verified.map(({ verified_at }) => verified_at ?? 0);
  const [last] = good;
  const reference = databaseReference(row);
  return {
    ...{ database: reference, engine: row.engine, good: good.length },
    last_good: last === undefined ? null : { backup: last.id, at: timestamp(last.started_at) },
    last_verified_at: times.length === 0 ? null : timestamp(Math.max(...times)),
    schedule: schedule === undefined ? null : presentBackupSchedule(schedule, reference),
    point_in_time: pointInTimeOf(db, row, schedule),
    problem: problemOf(schedule, good, lastEndedBackup(db, row.id)) ?? lateVerification(db, schedule, good, now()),
  };
}

/**
 * Returns an error message about the most serious problem with the backups of a database. If there is no problem,
 * returns `null`.
 */
function problemOf(
  schedule: BackupScheduleRow | undefined,
  good: readonly BackupRow[],
  lastEnded: BackupRow | undefined,
): string | null {
  const [last] = good;
  if (last === undefined && lastEnded === undefined)
    return schedule === undefined
      ? 'The database has no backup. Back it up, and set a backup schedule.'
      : 'The database has no backup yet. Wait for the first scheduled backup, or back it up now.';
  if (lastEnded?.status === 'failed') return `The last backup failed. ${sentence(lastEnded.error ?? '')}`;
  if (last !== undefined && last.verify_error !== null)
    return `Backup ${last.id} could not be verified. ${sentence(last.verify_error)}`;
  const { besides = [] } = JSON.parse(last?.facts ?? '{}') as Partial<DumpFacts>;
  if (besides.length > 0)
    return `The backups do not contain other databases on the same server: ${besides.join(', ')}. Move their data into this database, or drop them.`;
  if (schedule === undefined) return 'The database has no backup schedule. Set one.';
  if (schedule.next_at === null)
    return 'The backup schedule never runs again, because its cron expression matches no future date. Change the backup schedule of the database.';
  return schedule.missed === null ? null : `The last scheduled backup did not run. ${sentence(schedule.missed)}`;
}

/** Returns an error message if the verification of a backup is overdue, or `null` if no verification is overdue. */
function lateVerification(
  db: Reader,
  schedule: BackupScheduleRow | undefined,
  good: readonly BackupRow[],
  now: number,
): string | null {
  const since = schedule === undefined ? null : verificationOverdueSince(db, schedule, good, now);
  if (since === null) return null;
  const { error = null } = lastEndedTaskOf(db, 'backup', String(good[0]?.id)) ?? {};
  const why =
    error ??
    'To verify a backup, Davit restores it into a temporary database. Check whether the quota of the project allows this additional database.';
  return `The verification of the backups has been overdue since ${timestamp(since)}. ${sentence(why)}`;
}

/**
 * Returns warnings about databases whose backup schedule, WAL archive (write-ahead log) or backup verification has a
 * problem.
 */
export function backupWarnings({ store, now }: Clocked, projects: readonly number[] | null = null): string[] {
  return allBackupSchedules(store).flatMap((schedule) => {
    const row = databaseById(store, schedule.database_id);
    if (row === undefined || row.deleted_at !== null) return [];
    if (projects !== null && !projects.includes(row.project_id)) return [];
    const ended = lastEndedBackup(store, row.id);
    const isBad = ended?.status === 'failed' || schedule.missed !== null || schedule.next_at === null;
    const log = schedule.point_in_time === 1 ? pointInTimeTrouble(store, row) : null;
    const good = goodBackups(store, row.id).filter(({ kind }) => kind === 'dump');
    const problem = isBad ? problemOf(schedule, good, ended) : (log ?? lateVerification(store, schedule, good, now()));
    return problem === null ? [] : [`The backups of the database ${databaseReference(row)} have a problem. ${problem}`];
  });
}
