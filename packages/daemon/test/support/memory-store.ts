import { DatabaseSync } from 'node:sqlite';
import { emptyDatabase } from '@davit/testkit/empty-database';
import { Store } from '../../src/db/store.ts';

/** Creates a store with a database in memory. */
export function memoryStore(now?: () => number): Store {
  return new Store(':memory:', now, open);
}

function open(path: string): DatabaseSync {
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY');
  db.deserialize(emptyDatabase());
  return db;
}
