import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { checkRow, checksOf, type Query, type RowCheck } from './select.ts';

interface Prepared {
  statement: StatementSync;
  columns: readonly string[];
  checks: readonly RowCheck[];
}

/** Prepared SQL statements of one database connection. Each statement is prepared only once. */
export class Statements {
  readonly #db: DatabaseSync;
  readonly #queries = new Map<Query<unknown>, Prepared>();
  readonly #others = new Map<string, StatementSync>();

  constructor(db: DatabaseSync) {
    this.#db = db;
  }

  get<Row>(query: Query<Row>, params: readonly SQLInputValue[]): Row | undefined {
    const prepared = this.#of(query);
    const values = prepared.statement.get(...params);
    return values && rowOf(query, prepared, values);
  }

  all<Row>(query: Query<Row>, params: readonly SQLInputValue[]): Row[] {
    const prepared = this.#of(query);
    return prepared.statement.all(...params).map((values) => rowOf(query, prepared, values));
  }

  exists(sql: string, params: readonly SQLInputValue[]): boolean {
    return this.#other(sql).get(...params) !== undefined;
  }

  run(sql: string, params: readonly SQLInputValue[]): { changes: number; id: number } {
    const { changes, lastInsertRowid } = this.#other(sql).run(...params);
    return { changes: Number(changes), id: Number(lastInsertRowid) };
  }

  #of(query: Query<unknown>): Prepared {
    let prepared = this.#queries.get(query);
    if (!prepared) {
      const statement = this.#db.prepare(query.sql);
      statement.setReturnArrays(true);
      const columns = statement.columns().map(({ name }) => name);
      prepared = { statement, columns, checks: checksOf(query, statement) };
      this.#queries.set(query, prepared);
    }
    return prepared;
  }

  #other(sql: string): StatementSync {
    let statement = this.#others.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#others.set(sql, statement);
    }
    return statement;
  }
}

/**
 * Creates a plain object from the column values of a row. The row objects of `node:sqlite` are slower and need twice
 * the memory.
 */
function rowOf<Row>(query: Query<Row>, { columns, checks }: Prepared, values: object): Row {
  const given = values as unknown[];
  if (checks.length > 0) checkRow(query, checks, given);
  const row: Record<string, unknown> = {};
  for (let i = 0; i < columns.length; i += 1) row[columns[i] as string] = given[i];
  return row as Row;
}
