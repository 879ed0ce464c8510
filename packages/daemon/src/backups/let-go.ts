/** What only the input of a task told of: freed when that cannot be opened, so that nothing waits for the task for ever. */
import type { DatabaseBase } from '../databases/base.ts';
import { unlessBroken } from '../release/unsealed.ts';
import { backupsBeingTaken, failBackup } from '../store/backup.ts';
import { allDatabases, databaseById, setDatabase } from '../store/managed-database.ts';
import type { Reader, Tx } from '../store/store.ts';
import { openTasks, sealedOfTask } from '../store/task.ts';
import { inputPlace } from '../tasks/work.ts';
import { forgetMade } from './kinds/made.ts';

/** The parts of inputs that name what is the task's alone; see the kinds of backups and databases. */
type Held = Partial<Record<'backup' | 'safety' | 'database' | 'made' | 'former', number | null>>;

/**
 * In the transaction in which a task ended without its input: backups that nobody takes any more have failed with its reason,
 * and databases that nobody fills any more go to where a failure leaves them.
 */
export function letGo(tx: Tx, core: DatabaseBase, reason: string): void {
  const held = openTasks(tx).flatMap(({ id }) => inputOf(core, tx, id) ?? []);
  const backups = new Set(held.flatMap(({ backup, safety }) => [backup, safety]));
  for (const { id } of backupsBeingTaken(tx)) if (!backups.has(id)) failBackup(tx, id, reason, core.now());
  const databases = new Set(held.flatMap(({ database, made, former }) => [database, made, former]));
  for (const { id, state } of allDatabases(tx)) if (state === 'hidden' && !databases.has(id)) leave(tx, core, id);
}

/** One that was another way to the data of a database is removed without it; what has data that nobody else has is kept. */
function leave(tx: Tx, core: DatabaseBase, id: number): void {
  const { volume } = databaseById(tx, id) ?? {};
  const isShared = allDatabases(tx).some((other) => other.id !== id && other.volume === volume);
  if (isShared) setDatabase(tx, id, { state: 'failed' });
  else forgetMade(tx, core, id, { clean: false });
  core.nudgeDatabases();
}

function inputOf({ sealer }: Pick<DatabaseBase, 'sealer'>, db: Reader, task: number): Held | undefined {
  const sealed = sealedOfTask(db, task)?.input;
  // Written by this program, and by nobody else.
  return sealed == null ? undefined : unlessBroken(() => JSON.parse(sealer.open(sealed, inputPlace(task))) as Held);
}
