/** What every task that is asked for on a database and its data needs. */
import { DavitError } from '@davit/api';
import { type DatabaseLike, recordNew } from '../backups/databases.ts';
import type { OpContext } from '../context.ts';
import { type DatabaseRow, databaseReference } from '../store/managed-database.ts';
import type { Reader } from '../store/store.ts';
import { demandNoTask } from '../tasks/no-task.ts';
import type { TaskAsk } from '../tasks/tasks.ts';
import type { Core } from './core.ts';
import { type DatabasePlace, demandFreePlace } from './database-place.ts';

/** Puts a new database on record with the task that makes and fills it. @returns the task's number. @throws DavitError conflict, not_found */
export function startNew(
  core: Core,
  { actor }: OpContext,
  like: DatabaseLike,
  asked: (database: number) => Pick<TaskAsk, 'kind' | 'input'>,
): number {
  const { username: by, via } = actor;
  return core.tasks.start((tx) => {
    demandFreePlace(tx, like);
    const id = recordNew(core, tx, like);
    about(core, databaseReference(like), like.project_id);
    return { ...ofDatabase(like), ...asked(id), by, via };
  });
}

/** For what is done with it alone: what is under way is why the rest is not as whoever asks thinks. @throws DavitError conflict */
export function demandFree(db: Reader, row: DatabaseRow): void {
  demandNoTask(db, ofDatabase(row).subject, row.name);
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
export function ofDatabase(row: DatabasePlace) {
  return { subject: { kind: 'database', name: databaseReference(row) } as const, projectId: row.project_id };
}

/** For the audit log. */
export function about({ store }: Core, target: string, projectId: number): void {
  store.trail.about({ target, projectId });
}
