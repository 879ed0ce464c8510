import type { Reader } from '../../db/store.ts';
import { type DatabaseRow, databaseReference } from '../../db/tables/managed-database.ts';
import { openTaskOf } from '../../db/tables/task.ts';

/**
 * Returns whether background jobs must not change a database server. This is the case if the server is not in use, or
 * if the database has an unfinished task.
 */
export function isOccupied(db: Reader, row: DatabaseRow): boolean {
  const isServing = row.state === 'made' && row.wanted === 'running' && row.deleted_at === null;
  return !isServing || openTaskOf(db, 'database', databaseReference(row)) !== undefined;
}
