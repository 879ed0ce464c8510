/**
 * Functions that start a backup, the verification of a backup or a restore. Each function starts a background task. All
 * database rows for the task are inserted in one transaction.
 */
import { type BackupDestination, type BackupRestore, type BackupTake, DavitError } from '@davit/api';
import { databaseVolumeName } from '../../adapters/engine/names.ts';
import type { OpContext } from '../../auth/context.ts';
import type { BackupRow } from '../../db/tables/backup.ts';
import { backupScheduleOf } from '../../db/tables/backup-schedule.ts';
import { environmentBySlugs } from '../../db/tables/environment.ts';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { currentDatabase } from '../databases/change.ts';
import type { DatabaseLike } from '../databases/like.ts';
import { databaseOffers, imageFor } from '../databases/offers.ts';
import { type DatabaseIdentity, databaseTarget, demandFreeTarget } from '../databases/placement.ts';
import type { TaskRequester } from '../tasks/tasks.ts';
import { databaseOf, demandDatabaseName, demandDump } from './backup.ts';
import { hiddenName, likeOf, recordTrial, recordTwin } from './databases.ts';
import type { BackupsDeps } from './deps.ts';
import { demandDestination, whyNotOwn } from './destination-check.ts';
import { about, demandFree, demandRunning, demandWanted, startNew, taskOfDatabase } from './preconditions.ts';
import type { BackupDetails } from './take.ts';
import { recordBackup } from './take.ts';

const DISK: BackupDestination = { kind: 'disk' };

/**
 * Starts a task that backs up a database.
 * @returns id of the task
 * @throws DavitError conflict if the database does not run or has an unfinished task
 */
export async function backUpDatabase(
  core: BackupsDeps,
  ctx: OpContext,
  database: DatabaseRow,
  request: BackupTake,
): Promise<number> {
  const { username: by, via } = ctx.actor;
  const demandSame = await demandDestination(core, ctx, database.project_id, request.destination ?? DISK);
  return core.tasks.start((tx) => {
    demandSame(tx);
    const row = currentDatabase(tx, database.id);
    demandFree(tx, row);
    demandRunning(row);
    const schedule = backupScheduleOf(tx, row.id);
    const scheduled = schedule === undefined ? DISK : (JSON.parse(schedule.destination) as BackupDestination);
    const destination = request.destination ?? scheduled;
    const why = whyNotOwn(tx, row.project_id, destination);
    if (why !== null) throw new DavitError('conflict', why);
    const backup = recordBackup(core, tx, row, { origin: 'manual', destination, by, via, taskId: null });
    about(core, `${databaseReference(row)}/backups/${backup.id}`, row.project_id);
    return { ...taskOfDatabase(row), kind: 'backup.take', input: { backup: backup.id, origin: 'manual' }, by, via };
  });
}

/**
 * Starts a task that verifies a backup. The task restores the backup into a temporary database.
 * @returns id of the task
 * @throws DavitError conflict, or not_found for a deleted environment
 */
export async function verifyBackup(core: BackupsDeps, { by, via }: TaskRequester, backup: BackupRow): Promise<number> {
  demandDump(backup);
  const like = await likeBackup(core, backup, hiddenIdentity(core, backup));
  return core.tasks.start((tx) => {
    demandFreeTarget(tx, like);
    const database = withinQuota(tx, like.project_id, () => recordTrial(core, tx, like));
    about(core, `backups/${backup.id}`, backup.project_id);
    const subject = { kind: 'backup', name: String(backup.id) } as const;
    const input = { backup: backup.id, database };
    return { kind: 'backup.verify', subject, projectId: backup.project_id, input, by, via };
  });
}

/**
 * Starts a task that restores a backup into a new database. If `into` is absent, the restore replaces the data of the
 * original database.
 * @returns id of the task
 * @throws DavitError conflict, invalid_input, not_found
 */
export async function restoreBackup(
  core: BackupsDeps,
  ctx: OpContext,
  backup: BackupRow,
  { into, confirm }: BackupRestore,
): Promise<number> {
  demandDump(backup);
  if (into === undefined) return restoreInPlace(core, ctx, backup, confirm);
  const identity = databaseTarget(core.store, ctx, into);
  const like = await likeBackup(core, backup, identity);
  return startNew(core, ctx, like, (database) => ({ kind: 'backup.restore', input: { database, backup: backup.id } }));
}

async function restoreInPlace(core: BackupsDeps, { actor }: OpContext, backup: BackupRow, confirm: string | undefined) {
  const { username: by, via } = actor;
  demandDatabaseName(backup, confirm);
  return core.tasks.start((tx) => {
    const row = databaseOf(tx, backup);
    if (row === undefined || row.deleted_at !== null)
      throw new DavitError(
        'conflict',
        `The database ${backup.database} was deleted. Restore the backup into a new database.`,
      );
    demandFree(tx, row);
    demandWanted(row);
    const like = likeOf(row, { name: hiddenName('restore', row.name, core.now()) });
    const made = withinQuota(tx, row.project_id, () => recordTwin(core, tx, like, row));
    const request = { origin: 'safety', destination: DISK, by, via, taskId: null } as const;
    const safety = row.observed === 'ready' ? recordBackup(core, tx, row, request).id : null;
    about(core, databaseReference(row), row.project_id);
    const input = {
      database: row.id,
      made,
      volume: databaseVolumeName(core.facts.id, made),
      backup: backup.id,
      safety,
    };
    return { ...taskOfDatabase(row), kind: 'backup.restore-in-place', input, by, via };
  });
}

/**
 * Returns the environment and the name of a temporary database. Davit restores a backup into this database to verify
 * the backup.
 */
function hiddenIdentity({ store, now }: BackupsDeps, backup: BackupRow): DatabaseIdentity {
  const { id, database } = backup;
  const row = databaseOf(store, backup);
  /*
   * The database of the backup may be in the trash. Only its environment must exist, because a verification uses the
   * network of the environment.
   */
  if (row === undefined || environmentBySlugs(store, row.project, row.environment)?.id !== row.environment_id) {
    const message = `Davit cannot verify the backup, because the database ${database} or its environment was deleted. Restore the backup into a new database instead.`;
    throw new DavitError('conflict', message);
  }
  const { project_id, environment_id, project, environment } = row;
  return { project_id, environment_id, project, environment, name: hiddenName('verify', String(id), now()) };
}

async function likeBackup(core: BackupsDeps, backup: BackupRow, identity: DatabaseIdentity): Promise<DatabaseLike> {
  // The cast of the parsed JSON is safe, because only Davit writes the column `details` of a backup row.
  const details = JSON.parse(backup.details) as BackupDetails;
  const offer = (await databaseOffers(core.engine)).find(({ engine }) => engine === backup.engine);
  if (offer === undefined)
    throw new DavitError(
      'conflict',
      `Cannot restore backup ${backup.id}: this server does not offer the database engine ${backup.engine}.`,
    );
  const { version } = backup;
  return {
    ...identity,
    engine: offer.engine,
    version,
    image: imageFor(offer, version, details.extensions),
    ...details,
  };
}
