import { DavitError, type TaskSubject } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { openTaskOf } from '../../db/tables/task.ts';

/**
 * Checks that an object, such as a database, has no unfinished task.
 * @param called name of the object in the error message
 * @throws DavitError conflict with the id of the task
 */
export function demandNoTask(db: Reader, { kind, name }: TaskSubject, called: string = name): void {
  const open = openTaskOf(db, kind, name);
  if (open === undefined) return;
  const message = `Task ${open.id} (${open.kind}) of ${called} is in progress. Wait for its end, or cancel it.`;
  throw new DavitError('conflict', message);
}
