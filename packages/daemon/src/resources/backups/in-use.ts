import type { Reader } from '../../db/store.ts';
import { openTaskOf, openTasks, type TaskRow } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { taskInput } from './task-input.ts';

/** Tasks that read the backup of their input, at whatever step they are. */
const READING = ['backup.restore', 'backup.restore-in-place', 'backup.restore-to', 'backup.verify'];

/** The task that reads a backup, or is about to: until it has ended nobody removes what it stands on. */
export function taskReading(core: Pick<BackupsDeps, 'sealer'>, db: Reader, backup: number): TaskRow | undefined {
  const trying = openTaskOf(db, 'backup', String(backup));
  if (trying !== undefined) return trying;
  return openTasks(db).find(({ id, kind }) => READING.includes(kind) && taskInput(core, db, id)?.backup === backup);
}
