import { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../src/db/database.ts';
import { Store } from '../../src/db/store.ts';

/** Content of an empty database after all migrations. The migrations need 18 ms, and a copy of their result 1 ms. */
let migrated: Uint8Array | null = null;

/** Creates a store with a database in memory. */
export function memoryStore(now?: () => number): Store {
  return new Store(':memory:', now, open);
}

function open(path: string): DatabaseSync {
  migrated ??= contentOf(path);
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  db.exec('PRAGMA trusted_schema = OFF; PRAGMA temp_store = MEMORY');
  db.deserialize(migrated);
  return db;
}

function contentOf(path: string): Uint8Array {
  using db = openDatabase(path);
  return db.serialize();
}
