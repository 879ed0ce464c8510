/**
 * Removal of rows that only the input of a task names. If the input cannot be opened, these rows would otherwise wait
 * for ever.
 */
import type { Tx } from '../../db/store.ts';
import { backupsBeingTaken, failBackup } from '../../db/tables/backup.ts';
import { allDatabases, databaseById, setDatabase } from '../../db/tables/managed-database.ts';
import { openTasks } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { forgetMade } from './kinds/made.ts';
import { taskInput } from './task-input.ts';

/**
 * Releases the rows of a task that ended without its input, in the transaction that ends the task.
 * Backups that no open task takes fail with the reason of the task. Hidden databases that no open task fills are
 * handled as after a failure.
 */
export function releaseOrphans(tx: Tx, core: BackupsDeps, reason: string): void {
  const held = openTasks(tx).flatMap(({ id }) => taskInput(core, tx, id) ?? []);
  const backups = new Set(held.flatMap(({ backup, safety }) => [backup, safety]));
  for (const { id } of backupsBeingTaken(tx)) if (!backups.has(id)) failBackup(tx, id, reason, core.now());
  const databases = new Set(held.flatMap(({ database, made, former }) => [database, made, former]));
  for (const { id, state } of allDatabases(tx)) if (state === 'hidden' && !databases.has(id)) leave(tx, core, id);
}

/**
 * Releases a hidden database that no open task fills. If another database uses the same volume, the volume stays. For
 * all other volumes, see {@link forgetMade}.
 */
function leave(tx: Tx, core: BackupsDeps, id: number): void {
  const { volume } = databaseById(tx, id) ?? {};
  const isShared = allDatabases(tx).some((other) => other.id !== id && other.volume === volume);
  if (isShared) setDatabase(tx, id, { state: 'failed' });
  else forgetMade(tx, core, id, { clean: false });
  core.nudgeDatabases();
}
