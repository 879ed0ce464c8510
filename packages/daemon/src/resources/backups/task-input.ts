import { unlessBroken } from '../../app-spec/unsealed.ts';
import type { Reader } from '../../db/store.ts';
import { sealedOfTask } from '../../db/tables/task.ts';
import { inputPlace } from '../tasks/work.ts';
import type { BackupsDeps } from './deps.ts';

/** The parts of inputs that name what is the task's alone; see the kinds of backups and databases. */
export type NamedInTask = Partial<Record<'backup' | 'safety' | 'database' | 'made' | 'former', number | null>>;

/** What the input of a task names. Undefined for one that cannot be opened: its task cannot go on either. */
export function taskInput({ sealer }: Pick<BackupsDeps, 'sealer'>, db: Reader, task: number): NamedInTask | undefined {
  const sealed = sealedOfTask(db, task)?.input;
  if (sealed == null) return undefined;
  // Written by this program, and by nobody else.
  return unlessBroken(() => JSON.parse(sealer.open(sealed, inputPlace(task))) as NamedInTask);
}
