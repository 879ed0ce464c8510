/**
 * Cleans up the database rows of tasks whose stored input cannot be decrypted. Without the input, Davit does not know
 * which rows belong to such a task.
 */
import type { Tx } from '../../db/store.ts';
import { backupsBeingTaken, failBackup } from '../../db/tables/backup.ts';
import { allDatabases, databaseById, setDatabase } from '../../db/tables/managed-database.ts';
import { openTasks } from '../../db/tables/task.ts';
import type { BackupsDeps } from './deps.ts';
import { forgetMade } from './kinds/made.ts';
import { taskInput } from './task-input.ts';

/**
 * Marks unfinished backups as failed and removes temporary databases. Backups and databases of unfinished tasks are not
 * changed.
 */
export function releaseOrphans(tx: Tx, core: BackupsDeps, reason: string): void {
  const held = openTasks(tx).flatMap(({ id }) => taskInput(core, tx, id) ?? []);
  const backups = new Set(held.flatMap(({ backup, safety }) => [backup, safety]));
  for (const { id } of backupsBeingTaken(tx)) if (!backups.has(id)) failBackup(tx, id, reason, core.now());
  const databases = new Set(held.flatMap(({ database, made, former }) => [database, made, former]));
  for (const { id, state } of allDatabases(tx)) if (state === 'hidden' && !databases.has(id)) leave(tx, core, id);
}

/** Cleans up a temporary database that no task uses. The volume is not removed if another database uses it. */
function leave(tx: Tx, core: BackupsDeps, id: number): void {
  const { volume } = databaseById(tx, id) ?? {};
  const isShared = allDatabases(tx).some((other) => other.id !== id && other.volume === volume);
  if (isShared) setDatabase(tx, id, { state: 'failed' });
  else forgetMade(tx, core, id, { clean: false });
  core.nudgeDatabases();
}
