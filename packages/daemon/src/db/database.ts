import type { DatabaseSync } from 'node:sqlite';
import * as service from '@davit/service';
import { REPAIR } from './damage.ts';
import { MIGRATIONS } from './migrations/index.ts';

/**
 * Opens the daemon's one database file (or `:memory:`) and migrates it.
 * @throws DatabaseUnusable when it is damaged, written by a newer Davit, or cannot be made durable
 */
export function openDatabase(path: string, migrations: readonly string[] = MIGRATIONS): DatabaseSync {
  return service.openDatabase(path, migrations, { repair: REPAIR, alone: true });
}
