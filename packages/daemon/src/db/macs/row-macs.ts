import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite';
import { findChangedRows, type RowFinding } from './find-changed.ts';
import { PROTECTED_TABLES, type ProtectedTable } from './protected.ts';
import { isMacOf, macOf } from './row-mac.ts';

/** SQL function that the triggers call for each changed row. */
const NOTE = 'davit_note_change';

interface Statements {
  table: ProtectedTable;
  read: StatementSync;
}

/**
 * Writes and checks the MACs of the protected rows of one database connection. Temporary triggers report each changed
 * row, also rows that foreign keys delete. The MACs are written immediately before the commit.
 */
export class RowMacs {
  readonly #db: DatabaseSync;
  readonly #key: Buffer;
  readonly #tables = new Map<string, Statements>();
  /** Changed rows of the current transaction: from table name to row keys. */
  readonly #changed = new Map<string, Set<string>>();
  readonly #write: StatementSync;
  readonly #remove: StatementSync;

  constructor(db: DatabaseSync, key: Buffer) {
    this.#db = db;
    this.#key = key;
    for (const table of PROTECTED_TABLES) this.#tables.set(table.name, { table, read: readerOf(db, table) });
    this.#write = db.prepare(
      `INSERT INTO row_macs (table_name, row_key, mac) VALUES (?, ?, ?)
        ON CONFLICT (table_name, row_key) DO UPDATE SET mac = excluded.mac`,
    );
    this.#remove = db.prepare('DELETE FROM row_macs WHERE table_name = ? AND row_key = ?');
    this.#watch();
  }

  /** Writes the MACs of the rows that the current transaction has changed. */
  seal(): void {
    if (this.#changed.size === 0) return;
    for (const [name, keys] of this.#changed) for (const key of keys) this.#sealRow(name, key);
    this.#changed.clear();
  }

  /** Discards the changes of a transaction that was rolled back. */
  forget(): void {
    this.#changed.clear();
  }

  /** Writes the MACs of all protected rows again. The caller must open a transaction. */
  sealAll(): void {
    this.#db.exec('DELETE FROM row_macs');
    for (const { name, keyOf } of PROTECTED_TABLES) {
      const keys = this.#db.prepare(`SELECT ${keyOf('t')} AS row_key FROM "${name}" t`).all();
      for (const { row_key: key } of keys) this.#sealRow(name, String(key));
    }
    this.#changed.clear();
  }

  get isEmpty(): boolean {
    return this.#db.prepare('SELECT 1 FROM row_macs LIMIT 1').get() === undefined;
  }

  /** Returns whether a row exists and has its correct MAC. */
  isSealed(name: string, key: string): boolean {
    const { table, read } = this.#tables.get(name) ?? unknownTable(name);
    const values = read.get(...keyValues(table, key)) as unknown as SQLOutputValue[] | undefined;
    const sql = 'SELECT mac FROM row_macs WHERE table_name = ? AND row_key = ?';
    const mac = this.#db.prepare(sql).get(name, key)?.mac;
    return values !== undefined && isMacOf(mac, this.#key, table, values);
  }

  check(): Generator<void, RowFinding[]> {
    return findChangedRows(this.#db, this.#key);
  }

  #sealRow(name: string, key: string): void {
    const { table, read } = this.#tables.get(name) ?? unknownTable(name);
    const values = read.get(...keyValues(table, key)) as unknown as SQLOutputValue[] | undefined;
    if (values === undefined) this.#remove.run(name, key);
    else this.#write.run(name, key, macOf(this.#key, table, values));
  }

  #watch(): void {
    this.#db.function(NOTE, (name, key) => {
      const keys = this.#changed.get(String(name));
      if (keys === undefined) this.#changed.set(String(name), new Set([String(key)]));
      else keys.add(String(key));
      return null;
    });
    for (const table of PROTECTED_TABLES) this.#db.exec(triggersOf(table));
  }
}

/**
 * Temporary triggers belong to the connection and are not stored in the file. Only temporary triggers may call the SQL
 * function, because the connection does not trust the schema of the file.
 */
function triggersOf({ name, columns, keyOf }: ProtectedTable): string {
  const note = (row: 'NEW' | 'OLD') => `SELECT ${NOTE}('${name}', ${keyOf(row)});`;
  const watched = columns.map((column) => `"${column}"`).join(', ');
  return `
    CREATE TEMP TRIGGER IF NOT EXISTS "mac_${name}_insert" AFTER INSERT ON main."${name}" BEGIN ${note('NEW')} END;
    CREATE TEMP TRIGGER IF NOT EXISTS "mac_${name}_delete" AFTER DELETE ON main."${name}" BEGIN ${note('OLD')} END;
    CREATE TEMP TRIGGER IF NOT EXISTS "mac_${name}_update" AFTER UPDATE OF ${watched} ON main."${name}"
      BEGIN ${note('OLD')} ${note('NEW')} END;`;
}

function readerOf(db: DatabaseSync, { name, columns, keyLength }: ProtectedTable): StatementSync {
  const where = columns.slice(0, keyLength).map((column) => `"${column}" = ?`);
  const names = columns.map((column) => `"${column}"`);
  const statement = db.prepare(`SELECT ${names.join(', ')} FROM "${name}" WHERE ${where.join(' AND ')}`);
  statement.setReturnArrays(true);
  return statement;
}

/** Returns the values of the primary key. An integer key in a text is converted by the type of the column. */
function keyValues({ keyLength }: ProtectedTable, key: string): SQLInputValue[] {
  return keyLength === 1 ? [key] : (JSON.parse(key) as SQLInputValue[]);
}

function unknownTable(name: string): never {
  throw new Error(`the table ${name} is not protected`);
}
