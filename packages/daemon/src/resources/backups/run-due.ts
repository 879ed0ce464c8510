/** Starts scheduled backups. Also verifies the newest backup of a schedule when a verification is due. */
import { type BackupDestination, DavitError } from '@davit/api';
import type { AuditFacts } from '../../db/tables/audit-log.ts';
import { type BackupRow, goodBackups } from '../../db/tables/backup.ts';
import {
  allBackupSchedules,
  type BackupScheduleRow,
  deleteBackupSchedule,
  dueBackupSchedules,
  moveBackupSchedule,
  nextBackupDue,
} from '../../db/tables/backup-schedule.ts';
import { type DatabaseRow, databaseById, databaseReference, setDatabase } from '../../db/tables/managed-database.ts';
import { lastEndedTaskOf, openDeletionOf, openTaskOf } from '../../db/tables/task.ts';
import { type CronTimes, cronTimes, followingTime } from '../../time/cron.ts';
import { verifyBackup } from './actions.ts';
import type { BackupsDeps } from './deps.ts';
import { whyNotOwn } from './destination-check.ts';
import { readyDatabases } from './ready-databases.ts';
import { recordBackup } from './take.ts';
import { verificationDueSince } from './verification.ts';

/**
 * Maximum delay of a scheduled backup in milliseconds, for example because the instance was stopped. After a longer
 * delay, Davit skips the backup.
 */
const CAUGHT_UP_MS = 60 * 60_000;
/** Time in milliseconds until the next attempt if the verification of a backup could not run. */
const TRIED_AGAIN_MS = 60 * 60_000;

/** Time in milliseconds until the next attempt if a database cannot be backed up because it is busy or starting. */
const BUSY_MS = 15_000;

/** Name that Davit saves as the user of scheduled tasks. */
const BY = 'davit';

type Due = BackupScheduleRow & { next_at: number };

/**
 * Starts all backups that are due. If several scheduled times of a backup have passed, the backup is started only once.
 * @returns milliseconds until the next backup is due, or `undefined` if there is no schedule
 */
export async function runDueBackups(core: BackupsDeps): Promise<number | undefined> {
  const { store } = core;
  if (nextBackupDue(store) === null) return undefined;
  const times = await cronTimes();
  for (const schedule of allBackupSchedules(store)) bringForward(core, schedule, times);
  await takeAllDue(core, times);
  await verifyDue(core);
  const next = nextBackupDue(store);
  if (next === null) return undefined;
  return next > core.now() ? next - core.now() : BUSY_MS;
}

/**
 * Corrects the next time of a backup schedule after the system clock was set back. Without the correction, no backup
 * would run until the clock reaches the old time again.
 */
function bringForward(core: BackupsDeps, schedule: BackupScheduleRow, times: CronTimes): void {
  const { database_id, next_at, missed } = schedule;
  // Do not change a time within the next hour. Otherwise, Davit could run a backup again that has just run.
  if (next_at === null || next_at <= core.now() + CAUGHT_UP_MS) return;
  const soonest = followingTime(times, schedule, core.now() + CAUGHT_UP_MS);
  if (soonest === null || soonest >= next_at) return;
  core.store.tx((tx) => moveBackupSchedule(tx, database_id, soonest, missed));
}

async function takeAllDue(core: BackupsDeps, times: CronTimes): Promise<void> {
  const { store } = core;
  const due = dueBackupSchedules(store, core.now());
  const ready = await readyDatabases(
    core,
    due.map(({ database_id }) => database_id),
  );
  // Read the backup schedules again, because they may have changed while Davit checked the databases.
  for (const schedule of dueBackupSchedules(store, core.now())) {
    const isReady = ready.get(schedule.database_id);
    if (isReady !== undefined) takeDue(core, schedule, times, isReady);
  }
}

function takeDue(core: BackupsDeps, schedule: Due, times: CronTimes, isReady: boolean): void {
  const row = databaseById(core.store, schedule.database_id);
  if (row === undefined) {
    // If the database was removed permanently, delete its backup schedule. The backups of the database are not deleted.
    core.store.tx((tx) => deleteBackupSchedule(tx, schedule.database_id));
    return;
  }
  const refused = whyRefused(core, row, schedule);
  // Start the backup later if the database is starting or has another task, for example a restart.
  const isStarting = refused === null && row.state === 'made' && !isReady;
  if ((isBusy(core, row) || isStarting) && isCaughtUp(core, schedule)) return;
  const next = followingTime(times, schedule, core.now());
  let missed = refused ?? whyLate(core, row, schedule, isReady);
  if (missed === null) {
    try {
      core.audit.during(auditFacts(row, 'backUpDatabase'), () => begin(core, row, schedule, next));
      return;
    } catch (error) {
      if (!(error instanceof DavitError)) throw error;
      missed = error.message;
    }
  }
  // Save the reason why the backup did not start.
  core.store.tx((tx) => {
    moveBackupSchedule(tx, schedule.database_id, next, missed);
    setDatabase(tx, schedule.database_id, {}, { change: 'backups' });
  });
}

function begin(core: BackupsDeps, row: DatabaseRow, schedule: Due, next: number | null): void {
  const destination = JSON.parse(schedule.destination) as BackupDestination;
  core.tasks.start((tx) => {
    /*
     * Save the new backup and the next time of the schedule in one transaction. Otherwise, a crash in between could
     * cause a second backup.
     */
    moveBackupSchedule(tx, schedule.database_id, next, null);
    const request = { destination, by: BY, via: 'schedule', taskId: null } as const;
    const { id } = recordBackup(core, tx, row, { ...request, origin: 'schedule' });
    const subject = { kind: 'database', name: databaseReference(row) } as const;
    const input = { backup: id, origin: 'schedule' };
    return { kind: 'backup.take', subject, projectId: row.project_id, input, by: BY, via: 'schedule' };
  });
}

function isBusy({ store }: BackupsDeps, row: DatabaseRow): boolean {
  return row.deleted_at === null && openTaskOf(store, 'database', databaseReference(row)) !== undefined;
}

function isCaughtUp({ now }: BackupsDeps, { next_at }: Due): boolean {
  return now() - next_at <= CAUGHT_UP_MS;
}

/** Returns the reason why the database cannot be backed up now, or `null` if the backup can start. */
function whyRefused({ store }: BackupsDeps, row: DatabaseRow, due: Due): string | null {
  if (row.deleted_at !== null) return 'The database was deleted and is in the trash.';
  if (row.wanted === 'stopped') return 'The database was stopped.';
  return whyNotOwn(store, row.project_id, JSON.parse(due.destination) as BackupDestination);
}

/** Returns the reason why a delayed backup of a database is skipped, or `null` if the backup can start. */
function whyLate(core: BackupsDeps, row: DatabaseRow, due: Due, isReady: boolean): string | null {
  if (row.state !== 'made' || row.container_id === null) return 'The database was not running.';
  // If the database has an unfinished task, the next function throws an error that names the task.
  if (isCaughtUp(core, due) || isBusy(core, row)) return null;
  const what = `The instance was not running${isReady ? '' : ', or the database did not respond,'}`;
  return `${what} at ${new Date(due.next_at).toISOString()} or within one hour after that time.`;
}

/**
 * Verifies the newest successful backup of each schedule if a verification is due. A verification is due if no backup
 * of the schedule was verified during the interval of the schedule.
 */
async function verifyDue(core: BackupsDeps): Promise<void> {
  for (const schedule of allBackupSchedules(core.store)) {
    const row = databaseById(core.store, schedule.database_id);
    if (row === undefined || row.deleted_at !== null) continue;
    if (openDeletionOf(core.store, row.project_id) !== undefined) continue;
    const good = goodBackups(core.store, row.id).filter(({ kind }) => kind === 'dump');
    const [newest] = good;
    if (newest === undefined || verificationDueSince(schedule, good, core.now()) === null) continue;
    if (openTaskOf(core.store, 'backup', String(newest.id)) !== undefined || failedLately(core, newest)) continue;
    try {
      await core.audit.during(auditFacts(row, 'verifyBackup'), () =>
        verifyBackup(core, { by: BY, via: 'schedule' }, newest),
      );
    } catch (error) {
      /*
       * If the project of a backup has no free quota, the backup cannot be verified. Continue with the other backup
       * schedules.
       */
      if (!(error instanceof DavitError && error.code === 'quota_exceeded')) throw error;
      core.log.info(
        { backup: newest.id, reason: error.message },
        'a backup could not be verified because of a quota; Davit tries again',
      );
    }
  }
}

/**
 * Returns whether a verification of this backup has recently failed to run. Davit then waits before the next attempt,
 * because a verification needs a temporary server.
 */
function failedLately({ store, now }: BackupsDeps, { id }: BackupRow): boolean {
  const last = lastEndedTaskOf(store, 'backup', String(id));
  return last?.status === 'failed' && Math.abs(now() - (last.finished_at ?? 0)) < TRIED_AGAIN_MS;
}

function auditFacts(row: DatabaseRow, operation: string): AuditFacts {
  return {
    ...{ actor: BY, key_id: null, key_name: null, via: 'schedule', ip: 'local', operation },
    ...{ target: databaseReference(row), project_id: row.project_id, status: 202, request_id: null },
  };
}
