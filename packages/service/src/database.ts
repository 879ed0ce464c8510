import { chmodSync, closeSync, openSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';

/** Older SQLite can corrupt a WAL database under several connections (fixed in 3.51.3). */
const MIN_SQLITE = [3, 51, 3];

/** The database cannot be used; the message says why and what to do. */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
}

/**
 * Opens the one database file (or `:memory:`) of a server for the process that writes it, with the durability that a
 * promise of «on disk» needs, and migrates it.
 * @param migrations in order; one that was released never changes
 * @throws DatabaseUnusable when it is damaged, written by a newer Davit, or cannot be made durable
 */
export function openDatabase(path: string, migrations: readonly string[]): DatabaseSync {
  if (path !== ':memory:') keepPrivate(path);
  const db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
  try {
    configure(db);
    assertUsable(db, path);
    migrate(db, migrations);
    return db;
  } catch (error) {
    db.close();
    throw error instanceof DatabaseUnusable
      ? error
      : new DatabaseUnusable(`open ${path}: ${(error as Error).message}`, { cause: error });
  }
}

/** SQLite gives its other files the permissions of the first: nobody else reads them, whatever the folder allows. */
function keepPrivate(path: string): void {
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
}

function configure(db: DatabaseSync): void {
  db.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = FULL;
    PRAGMA foreign_keys = ON;
    PRAGMA busy_timeout = 5000;
    PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON;
    PRAGMA temp_store = MEMORY;
    PRAGMA cache_size = -8192;
  `);
}

function assertUsable(db: DatabaseSync, path: string): void {
  const version = pragma(db, 'SELECT sqlite_version() AS v', 'v');
  if (isOlder(String(version), MIN_SQLITE))
    throw new DatabaseUnusable(`SQLite ${version} is too old: run Davit with its own Node.js`);
  // A library built with other defaults loses this on every open but the first.
  if (pragma(db, 'PRAGMA synchronous', 'synchronous') !== 2)
    throw new DatabaseUnusable(`open ${path}: the database is not durable`);
}

function isOlder(version: string, minimum: number[]): boolean {
  const parts = version.split('.').map(Number);
  for (const [i, least] of minimum.entries()) {
    if ((parts[i] ?? 0) !== least) return (parts[i] ?? 0) < least;
  }
  return false;
}

function pragma(db: DatabaseSync, sql: string, column: string): unknown {
  return db.prepare(sql).get()?.[column];
}

/** Applies what is missing, each in a transaction of its own together with its number. */
function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  const applied = Number(pragma(db, 'PRAGMA user_version', 'user_version'));
  if (applied > migrations.length) {
    throw new DatabaseUnusable(
      `the database was written by a newer Davit (schema ${applied}): start that version again`,
    );
  }
  for (const [i, sql] of migrations.entries()) {
    if (i < applied) continue;
    db.exec(`BEGIN IMMEDIATE; ${sql} PRAGMA user_version = ${i + 1}; COMMIT;`);
  }
}
