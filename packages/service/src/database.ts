import { chmodSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { ensureFileSync } from './durable-files.ts';
import { SQLITE, sqliteCode } from './sqlite-errors.ts';
import { isWalDamaged } from './wal.ts';

/**
 * Minimum version of SQLite. If several connections use a database in WAL mode, older versions can corrupt the
 * database. The bug was fixed in 3.51.3.
 */
const MIN_SQLITE = [3, 51, 3];

export type DatabaseProblem =
  | 'damaged'
  | 'log damaged'
  | 'missing'
  | 'unreadable'
  | 'in use'
  | 'full'
  | 'newer'
  | 'not durable'
  | 'mismatched';

/**
 * Error for a SQLite database that cannot be opened, read or written. The message contains the reason and a solution.
 */
export class DatabaseUnusable extends Error {
  override name = 'DatabaseUnusable';
  readonly problem: DatabaseProblem;

  constructor(problem: DatabaseProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.problem = problem;
  }
}

export interface DatabaseOptions {
  /** Sentences that say what the operator can do about a damaged SQLite file. The error message contains this text. */
  repair?: string;
  /**
   * Whether only this process opens the SQLite file. If `true`, the write-ahead log is checked for damage and written
   * into the SQLite file.
   */
  alone?: boolean;
}

const REPAIR = 'Restore the file from a copy.';

/**
 * Opens and migrates a SQLite database. Its commits survive a power loss.
 * @param migrations SQL statements, oldest migration first; a released migration must never change
 * @throws DatabaseUnusable
 */
export function openDatabase(path: string, migrations: readonly string[], options: DatabaseOptions = {}): DatabaseSync {
  const { repair = REPAIR, alone = false } = options;
  let db: DatabaseSync | null = null;
  try {
    if (path !== ':memory:') keepPrivate(path);
    if (alone && isWalDamaged(`${path}-wal`)) throw new DatabaseUnusable('log damaged', walDamage(path, repair));
    db = new DatabaseSync(path, { enableForeignKeyConstraints: true });
    configure(db);
    assertUsable(db, path);
    // Empty the write-ahead log. Otherwise, the next start could find an incomplete transaction and report damage.
    if (alone) db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    migrate(db, migrations);
    return db;
  } catch (error) {
    db?.close();
    throw error instanceof DatabaseUnusable ? error : unusable(path, repair, error);
  }
}

function walDamage(path: string, repair: string): string {
  return `The log ${path}-wal of the database is damaged: it has acknowledged changes that can no longer be read. ${repair} To start without these changes, move the log away.`;
}

/** Converts an error of SQLite to an error whose message says how to solve the problem. */
export function unusable(path: string, repair: string, cause: unknown): DatabaseUnusable {
  const [problem, message] = sentenceOf(path, repair, cause);
  return new DatabaseUnusable(problem, message, { cause });
}

/**
 * Returns the kind of problem and the error message for a result code of SQLite. The error message contains no text
 * from SQLite.
 */
function sentenceOf(path: string, repair: string, cause: unknown): [DatabaseProblem, string] {
  const code = sqliteCode(cause);
  switch (code) {
    case SQLITE.notADatabase:
      return ['damaged', `The database ${path} is damaged: it does not begin with the header of a database. ${repair}`];
    case SQLITE.corrupt:
      return ['damaged', `The database ${path} is damaged: its structure is broken. ${repair}`];
    case SQLITE.io:
      return [
        'unreadable',
        `The database ${path} cannot be read or written: the disk reports an error. Check the disk.`,
      ];
    case SQLITE.full:
      return [
        'full',
        `The database ${path} cannot be written because the disk is full. Free some space and start again.`,
      ];
    case SQLITE.busy:
      return ['in use', `The database ${path} is in use by another program. Stop that program and start again.`];
    case SQLITE.cannotOpen:
    case SQLITE.readOnly:
    case null:
      return ['unreadable', `The database ${path} cannot be opened. Check that it is a file that this user can write.`];
    default:
      return [
        'mismatched',
        `The database ${path} does not have the tables that this version expects (SQLite code ${code}): it is damaged or was changed by another program. ${repair}`,
      ];
  }
}

/**
 * Sets the permissions of the SQLite file to 0600, even in a public folder. SQLite gives its log files the same
 * permissions.
 */
function keepPrivate(path: string): void {
  ensureFileSync(path, 0o600);
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
    throw new DatabaseUnusable('not durable', `SQLite ${version} is too old. Run Davit with its own Node.js.`);
  /*
   * Check the setting `synchronous`. Some SQLite builds have another default, and could lose saved data at a power
   * loss.
   */
  if (pragma(db, 'PRAGMA synchronous', 'synchronous') !== 2)
    throw new DatabaseUnusable(
      'not durable',
      `The database ${path} does not store changes durably, because this build of SQLite uses other settings. Run Davit with its own Node.js.`,
    );
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

/**
 * Applies all missing migrations in one SQLite transaction. If one migration fails, the database does not change, and
 * the earlier Davit version can still start.
 */
function migrate(db: DatabaseSync, migrations: readonly string[]): void {
  const applied = Number(pragma(db, 'PRAGMA user_version', 'user_version'));
  if (applied > migrations.length) {
    throw new DatabaseUnusable(
      'newer',
      `A newer version of Davit wrote the database (schema ${applied}). Start that version again.`,
    );
  }
  const missing = migrations.slice(applied);
  if (missing.length === 0) return;
  db.exec(`BEGIN IMMEDIATE; ${missing.join('\n')} PRAGMA user_version = ${migrations.length}; COMMIT;`);
}
