import type { DatabaseSync } from 'node:sqlite';
import * as service from '@davit/service';
import { REPAIR } from './damage.ts';
import { MIGRATIONS } from './migrations/index.ts';

/**
 * Opens the SQLite database and runs pending migrations.
 * @throws DatabaseUnusable if the file is damaged or comes from a newer Davit version. Also thrown if SQLite cannot
 * guarantee that changes survive a power failure.
 */
export function openDatabase(path: string, migrations: readonly string[] = MIGRATIONS): DatabaseSync {
  return service.openDatabase(path, migrations, { repair: REPAIR, alone: true });
}
