import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

interface Prepared {
  statement: StatementSync;
  columns: readonly string[];
}

/** The statements of one database, each prepared once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #prepared = new Map<string, Prepared>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get<T>(sql: string, params: readonly SQLInputValue[]): T | undefined {
    const { statement, columns } = this.#of(sql);
    const values = statement.get(...params);
    return values && rowOf<T>(columns, values);
  }

  all<T>(sql: string, params: readonly SQLInputValue[]): T[] {
    const { statement, columns } = this.#of(sql);
    return statement.all(...params).map((values) => rowOf<T>(columns, values));
  }

  run(sql: string, params: readonly SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#of(sql).statement.run(...params);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  #of(sql: string): Prepared {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      const statement = this.#db.prepare(sql);
      statement.setReturnArrays(true);
      prepared = { statement, columns: statement.columns().map(({ name }) => name) };
      this.#prepared.set(sql, prepared);
    }
    return prepared;
  }
}

/** SQLite's own rows would be hash tables: slower to make and to read, and of twice the size. */
function rowOf<T>(columns: readonly string[], values: object): T {
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i += 1) row[columns[i] as string] = (values as unknown[])[i];
  return row as T;
}
