import { DavitError, type TaskSubject } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { openTaskOf } from '../../db/tables/task.ts';

/**
 * Checks that a database, app or other subject has no unfinished task, because only one at a time is allowed.
 * @param called name of the subject in the error message
 * @throws DavitError conflict, which names the unfinished task
 */
export function demandNoTask(db: Reader, { kind, name }: TaskSubject, called: string = name): void {
  const open = openTaskOf(db, kind, name);
  if (open === undefined) return;
  const message = `Task ${open.id} (${open.kind}) of ${called} is in progress. Wait for its end, or cancel it.`;
  throw new DavitError('conflict', message);
}
