/** What only the input of a task names: freed when the input cannot be opened, so that nothing waits for the task for ever. */
import type { Tx } from '../../db/store.ts';
import { backupsBeingTaken, failBackup } from '../../db/tables/backup.ts';
import { allDatabases, databaseById, setDatabase } from '../../db/tables/managed-database.ts';
import { openTasks } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { forgetMade } from './kinds/made.ts';
import { taskInput } from './task-input.ts';

/**
 * In the transaction in which a task ended without its input: backups that nobody takes any more have failed with its reason,
 * and databases that nobody fills any more go to where a failure leaves them.
 */
export function releaseOrphans(tx: Tx, core: BackupsDeps, reason: string): void {
  const held = openTasks(tx).flatMap(({ id }) => taskInput(core, tx, id) ?? []);
  const backups = new Set(held.flatMap(({ backup, safety }) => [backup, safety]));
  for (const { id } of backupsBeingTaken(tx)) if (!backups.has(id)) failBackup(tx, id, reason, core.now());
  const databases = new Set(held.flatMap(({ database, made, former }) => [database, made, former]));
  for (const { id, state } of allDatabases(tx)) if (state === 'hidden' && !databases.has(id)) leave(tx, core, id);
}

/** One that was another way to the data of a database is removed without it; what has data that nobody else has is kept. */
function leave(tx: Tx, core: BackupsDeps, id: number): void {
  const { volume } = databaseById(tx, id) ?? {};
  const isShared = allDatabases(tx).some((other) => other.id !== id && other.volume === volume);
  if (isShared) setDatabase(tx, id, { state: 'failed' });
  else forgetMade(tx, core, id, { clean: false });
  core.nudgeDatabases();
}
