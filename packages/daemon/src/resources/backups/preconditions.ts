/** What every task that is asked for on a database and its data needs. */
import { DavitError } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { withinQuota } from '../../quotas/quota.ts';
import type { DatabaseLike } from '../databases/like.ts';
import { type DatabaseIdentity, demandFreePlace } from '../databases/placement.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskAsk } from '../tasks/tasks.ts';
import { recordNew } from './databases.ts';
import type { BackupsDeps } from './deps.ts';

/** Puts a new database on record with the task that makes and fills it. @returns the task's number. @throws DavitError conflict, not_found */
export function startNew(
  core: BackupsDeps,
  { actor }: OpContext,
  like: DatabaseLike,
  asked: (database: number) => Pick<TaskAsk, 'kind' | 'input'>,
): number {
  const { username: by, via } = actor;
  return core.tasks.start((tx) => {
    demandFreePlace(tx, like);
    const id = withinQuota(tx, like.project_id, () => recordNew(core, tx, like));
    about(core, databaseReference(like), like.project_id);
    return { ...taskOfDatabase(like), ...asked(id), by, via };
  });
}

/** For what is done with it alone: what is under way is why the rest is not as whoever asks thinks. @throws DavitError conflict */
export function demandFree(db: Reader, row: DatabaseRow): void {
  demandNoTask(db, taskOfDatabase(row).subject, row.name);
}

/** @throws DavitError conflict for one that nothing can be read from */
export function demandRunning(row: DatabaseRow): void {
  demandWanted(row);
  if (row.state === 'made' && row.container_id !== null) return;
  throw new DavitError('conflict', `${databaseReference(row)} does not run: wait until it answers, or start it.`);
}

/** @throws DavitError conflict for one that was stopped */
export function demandWanted(row: DatabaseRow): void {
  if (row.wanted === 'running') return;
  throw new DavitError('conflict', `${databaseReference(row)} is stopped: start it first.`);
}

/** Whose task it is. */
export function taskOfDatabase(row: DatabaseIdentity) {
  return { subject: { kind: 'database', name: databaseReference(row) } as const, projectId: row.project_id };
}

/** For the audit log. */
export function about({ store }: BackupsDeps, target: string, projectId: number): void {
  store.trail.about({ target, projectId });
}
