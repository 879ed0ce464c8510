/** Checks and helper functions for all tasks that work on a database or its backups. */
import { DavitError } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { withinQuota } from '../../quotas/quota.ts';
import type { DatabaseLike } from '../databases/like.ts';
import { type DatabaseIdentity, demandFreeTarget } from '../databases/placement.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskRequest } from '../tasks/tasks.ts';
import { recordNew } from './databases.ts';
import type { BackupsDeps } from './deps.ts';

/**
 * Starts a task that creates a database and restores data into this database. Returns the task id.
 * @throws DavitError conflict, not_found
 */
export function startNew(
  core: BackupsDeps,
  { actor }: OpContext,
  like: DatabaseLike,
  requestFor: (database: number) => Pick<TaskRequest, 'kind' | 'input'>,
): number {
  const { username: by, via } = actor;
  return core.tasks.start((tx) => {
    demandFreeTarget(tx, like);
    const id = withinQuota(tx, like.project_id, () => recordNew(core, tx, like));
    about(core, databaseReference(like), like.project_id);
    return { ...taskOfDatabase(like), ...requestFor(id), by, via };
  });
}

/**
 * Checks that the database has no unfinished task. Call this function before other checks, so that the error message
 * names the unfinished task.
 * @throws DavitError conflict
 */
export function demandFree(db: Reader, row: DatabaseRow): void {
  demandNoTask(db, taskOfDatabase(row).subject, row.name);
}

/**
 * Checks that the database server is running, so that a task can read the data of the database.
 * @throws DavitError conflict
 */
export function demandRunning(row: DatabaseRow): void {
  demandWanted(row);
  if (row.state === 'made' && row.container_id !== null) return;
  throw new DavitError('conflict', `${databaseReference(row)} is not running. Start it, or wait until it is running.`);
}

/**
 * Checks that no user has stopped the database.
 * @throws DavitError conflict
 */
export function demandWanted(row: DatabaseRow): void {
  if (row.wanted === 'running') return;
  throw new DavitError('conflict', `${databaseReference(row)} is stopped. Start it first.`);
}

export function taskOfDatabase(row: DatabaseIdentity) {
  return { subject: { kind: 'database', name: databaseReference(row) } as const, projectId: row.project_id };
}

export function about({ store }: BackupsDeps, target: string, projectId: number): void {
  store.trail.about({ target, projectId });
}
