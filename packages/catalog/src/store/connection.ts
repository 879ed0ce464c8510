import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** One connection to the file, with each statement prepared once. */
export class Connection implements Disposable {
  readonly #db: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  /** The first row, or undefined. The caller names its shape; the schema is STRICT, so it is what the columns say. */
  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#prepared(sql).get(...params) as T | undefined;
  }

  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#prepared(sql).all(...params) as T[];
  }

  /** @returns how many rows changed */
  run(sql: string, ...params: SQLInputValue[]): number {
    return Number(this.#prepared(sql, true).run(...params).changes);
  }

  /** For what has no rows and no parameters. */
  exec(sql: string): void {
    this.#db.exec(sql);
  }

  /** Reads, all of it from one moment. */
  snapshot<T>(read: () => T): T {
    return this.#between('BEGIN', read);
  }

  /** Writes, all of it or nothing; within another one, as a part of that. */
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
      // Some errors have rolled it back by themselves.
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    }
  }

  /** @param isRun its answer holds the number of the last row written, and full-text tables have some beyond 2^53 */
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
