import { unlessBroken } from '../../app-spec/unsealed.ts';
import type { Reader } from '../../db/store.ts';
import { sealedOfTask } from '../../db/tables/task.ts';
import { inputLocation } from '../tasks/work.ts';
import type { BackupsDeps } from './deps.ts';

/** Ids of the backups and databases in the input of a task. */
export type NamedInTask = Partial<Record<'backup' | 'safety' | 'database' | 'made' | 'former', number | null>>;

/**
 * Returns the ids of backups and databases in the stored input of a task. If the input cannot be decrypted, returns
 * `undefined`, and the task cannot continue.
 */
export function taskInput({ sealer }: Pick<BackupsDeps, 'sealer'>, db: Reader, task: number): NamedInTask | undefined {
  const sealed = sealedOfTask(db, task)?.input;
  if (sealed == null) return undefined;
  // The cast of the parsed JSON is safe, because only Davit writes the input of a task.
  return unlessBroken(() => JSON.parse(sealer.open(sealed, inputLocation(task))) as NamedInTask);
}
