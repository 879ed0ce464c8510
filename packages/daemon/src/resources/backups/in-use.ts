import type { Reader } from '../../db/store.ts';
import { openTaskOf, openTasks, type TaskRow } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { taskInput } from './task-input.ts';

/** Kinds of tasks that read a backup. The input of such a task contains the id of the backup. */
const READING = ['backup.restore', 'backup.restore-in-place', 'backup.restore-to', 'backup.verify'];

/**
 * Returns an unfinished task that reads a backup, or `undefined` if no task reads the backup. The backup must not be
 * removed before the task ends.
 */
export function taskReading(core: Pick<BackupsDeps, 'sealer'>, db: Reader, backup: number): TaskRow | undefined {
  const trying = openTaskOf(db, 'backup', String(backup));
  if (trying !== undefined) return trying;
  return openTasks(db).find(({ id, kind }) => READING.includes(kind) && taskInput(core, db, id)?.backup === backup);
}
