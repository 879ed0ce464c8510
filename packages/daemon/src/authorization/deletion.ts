import { DavitError } from '@davit/api';
import type { Reader } from '../db/store.ts';
import { openDeletionOf } from '../db/tables/task.ts';

/**
 * Checks that no task is deleting the project with its contents. Otherwise, the task would also delete new contents
 * that the user who started the task has not seen.
 * @throws DavitError conflict with the id of the task
 */
export function demandNoDeletion(db: Reader, projectId: number | null): void {
  const task = projectId === null ? undefined : openDeletionOf(db, projectId);
  if (task === undefined) return;
  const message = `Task ${task.id} is deleting the project ${task.subject}, so nothing in the project can be changed. Wait for the end of the task.`;
  throw new DavitError('conflict', message);
}
