import { DavitError, type TaskSubject } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { openTaskOf } from '../../db/tables/task.ts';

/**
 * One task at a time is open for a subject.
 * @param called how the sentence calls it
 * @throws DavitError conflict naming the task that is open for it
 */
export function demandNoTask(db: Reader, { kind, name }: TaskSubject, called: string = name): void {
  const open = openTaskOf(db, kind, name);
  if (open === undefined) return;
  const message = `Task ${open.id} (${open.kind}) is under way for ${called}: wait for its end, or cancel it.`;
  throw new DavitError('conflict', message);
}
