import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** SQLite connection that prepares each statement only once. */
export class Connection implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /**
   * Returns the first row, or `undefined` if there are no rows. STRICT tables guarantee that the columns have the types
   * in `T`.
   */
  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#prepared(sql).get(...params) as T | undefined;
  }

  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#prepared(sql).all(...params) as T[];
  }

  /**
   * Runs an SQL statement.
   * @returns the number of changed rows
   */
  run(sql: string, ...params: SQLInputValue[]): number {
    return Number(this.#prepared(sql, true).run(...params).changes);
  }

  /** Runs SQL statements that have no parameters and return no rows. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Runs read queries in one SQLite transaction, so that all queries read the same state of the database. */
  snapshot<T>(read: () => T): T {
    return this.#between('BEGIN', read);
  }

  /**
   * Runs writes in one SQLite transaction. If a transaction is already open, the writes become a part of this
   * transaction.
   */
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
      // Some SQLite errors roll back the transaction automatically.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /**
   * Returns a prepared statement. Each statement is prepared only once.
   * @param isRun whether the method `run` executes the statement
   */
  #prepared(sql: string, isRun = false): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      // Row ids of a full-text table can be larger than 2^53, so they are read as BigInt.
      if (isRun) statement.setReadBigInts(true);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
