import { DatabaseSync } from 'node:sqlite';
import { sqliteCode } from '@davit/service';
import { findChangedRows, finished, type RowFinding } from '../macs/find-changed.ts';
import { MIGRATIONS } from '../migrations/index.ts';

/** Values of a SQLite file that show whether this instance can use the file. */
export interface StateFacts {
  /** Whether the file has a schema that this version can open. A newer version can have written the file. */
  hasKnownSchema: boolean;
  /** Stored settings of the instance. */
  settings: ReadonlyMap<string, string>;
}

/**
 * Reads the values from a SQLite file without changing it. Another process may use the file. Returns `null` if the file
 * is missing, or the values cannot be read.
 */
export function readFacts(path: string): StateFacts | null {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
    const settings = new Map(
      db
        .prepare('SELECT key, value FROM settings')
        .all()
        .map(({ key, value }) => [String(key), String(value)]),
    );
    return { hasKnownSchema: schemaOf(db) <= MIGRATIONS.length, settings };
  } catch (error) {
    if (sqliteCode(error) === null) throw error;
    // The file is damaged, or it is not a database. `checkDatabase` reports the findings.
    return null;
  }
}

/**
 * Checks the MACs of all protected rows of a SQLite file. Rows of an older schema have other MACs, so they are not
 * checked.
 * @param key key for MACs, derived from the master key
 */
export async function changedRowsOf(path: string, key: Buffer, signal: AbortSignal): Promise<RowFinding[]> {
  using db = new DatabaseSync(path, { readOnly: true, timeout: 5_000 });
  if (schemaOf(db) !== MIGRATIONS.length) return [];
  return await finished(findChangedRows(db, key), signal);
}

function schemaOf(db: DatabaseSync): number {
  return Number(db.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Merges the write-ahead log of a SQLite file into the file, and leaves one file without a log.
 * @throws Error of SQLite if the file cannot be opened
 */
export function mergeLog(path: string): void {
  using db = new DatabaseSync(path, { timeout: 5_000 });
  db.exec('PRAGMA synchronous = FULL; PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
}
