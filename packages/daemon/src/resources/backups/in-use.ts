import type { Reader } from '../../db/store.ts';
import { openTaskOf, openTasks, type TaskRow } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { taskInput } from './task-input.ts';

/** Kinds of tasks that read a backup. The task input contains the id of this backup. */
const READING = ['backup.restore', 'backup.restore-in-place', 'backup.restore-to', 'backup.verify'];

/**
 * Returns the open task that reads or will read a backup, or `undefined` if there is none. Do not remove the backup
 * before this task ends.
 */
export function taskReading(core: Pick<BackupsDeps, 'sealer'>, db: Reader, backup: number): TaskRow | undefined {
  const trying = openTaskOf(db, 'backup', String(backup));
  if (trying !== undefined) return trying;
  return openTasks(db).find(({ id, kind }) => READING.includes(kind) && taskInput(core, db, id)?.backup === backup);
}
