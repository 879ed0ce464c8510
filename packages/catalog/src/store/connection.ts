import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** One connection to the file, which prepares each statement once. */
export class Connection implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /**
   * Returns the first row, or `undefined`. The caller states the type of the row. The STRICT schema guarantees the
   * types of the columns.
   */
  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#prepared(sql).get(...params) as T | undefined;
  }

  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#prepared(sql).all(...params) as T[];
  }

  /**
   * Runs a statement.
   * @returns the number of changed rows
   */
  run(sql: string, ...params: SQLInputValue[]): number {
    return Number(this.#prepared(sql, true).run(...params).changes);
  }

  /** Runs statements without rows and without parameters. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Runs reads that all see the same state of the database. */
  snapshot<T>(read: () => T): T {
    return this.#between('BEGIN', read);
  }

  /** Runs writes in one transaction, or as a part of the current transaction. */
  transaction<T>(write: () => T): T {
    return this.#db.isTransaction ? write() : this.#between('BEGIN IMMEDIATE', write);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #between<T>(begin: string, work: () => T): T {
    this.run(begin);
    try {
      const result = work();
      this.run('COMMIT');
      return result;
    } catch (error) {
      // Some errors have already rolled back the transaction.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Returns the prepared statement.
   * @param isRun result contains the last row id, which may exceed 2^53 in full-text tables
   */
  #prepared(sql: string, isRun = false): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      if (isRun) statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
