import { unlessBroken } from '../../app-spec/unsealed.ts';
import type { Reader } from '../../db/store.ts';
import { sealedOfTask } from '../../db/tables/task.ts';
import { inputPlace } from '../tasks/work.ts';
import type { BackupsDeps } from './deps.ts';

/** Parts of a task's input that name rows of the task itself. See the task kinds of backups and databases. */
export type NamedInTask = Partial<Record<'backup' | 'safety' | 'database' | 'made' | 'former', number | null>>;

/**
 * Returns the rows that the input of a task names, or `undefined` if the input cannot be opened. Such a task cannot
 * continue either.
 */
export function taskInput({ sealer }: Pick<BackupsDeps, 'sealer'>, db: Reader, task: number): NamedInTask | undefined {
  const sealed = sealedOfTask(db, task)?.input;
  if (sealed == null) return undefined;
  // Only this program writes this value, so that the cast is safe.
  return unlessBroken(() => JSON.parse(sealer.open(sealed, inputPlace(task))) as NamedInTask);
}
