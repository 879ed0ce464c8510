import type { Base } from '../release/base.ts';
import { SealBroken } from '../store/seal.ts';
import type { Reader } from '../store/store.ts';
import { openTaskOf, openTasks, sealedOfTask, type TaskRow } from '../store/task.ts';
import { inputPlace } from '../tasks/work.ts';

/** Tasks that read the backup of their input, at whatever step they are. */
const READING = ['backup.restore', 'backup.restore-in-place', 'backup.restore-to', 'backup.verify'];

/** The task that reads a backup, or is about to: until it has ended nobody removes what it stands on. */
export function taskReading({ sealer }: Pick<Base, 'sealer'>, db: Reader, backup: number): TaskRow | undefined {
  const trying = openTaskOf(db, 'backup', String(backup));
  if (trying !== undefined) return trying;
  return openTasks(db).find(({ id, kind }) => READING.includes(kind) && inputOf(sealer, db, id)?.backup === backup);
}

/** Undefined for one that cannot be opened: its task cannot go on either. */
function inputOf(sealer: Base['sealer'], db: Reader, task: number): { backup?: number } | undefined {
  const sealed = sealedOfTask(db, task)?.input;
  if (sealed == null) return undefined;
  try {
    // Written by this program, and by nobody else.
    return JSON.parse(sealer.open(sealed, inputPlace(task))) as { backup?: number };
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
