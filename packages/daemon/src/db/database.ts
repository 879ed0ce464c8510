import type { DatabaseSync } from 'node:sqlite';
import * as service from '@davit/service';
import { REPAIR } from './damage.ts';
import { MIGRATIONS } from './migrations/index.ts';

/**
 * Opens the SQLite database of the daemon and runs pending migrations. The path `:memory:` opens a database in memory.
 * @throws DatabaseUnusable if the file is damaged, a newer Davit wrote it, or SQLite could lose changes after a power
 * loss
 */
export function openDatabase(path: string, migrations: readonly string[] = MIGRATIONS): DatabaseSync {
  return service.openDatabase(path, migrations, { repair: REPAIR, alone: true });
}
