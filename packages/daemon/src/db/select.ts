/**
 * Typed SQL queries. The columns of a `Selection` determine the TypeScript type of a result row. The part of the SQL
 * statement after the columns is plain text.
 */
import type { StatementSync } from 'node:sqlite';
import { SCHEMA, type Schema, type TableName, type TableRow } from './schema/index.ts';
import type { Columns, ValueOf as ColumnValue, StorageType } from './schema/table.ts';

declare const VALUE: unique symbol;

/** A column or a computed SQL value that a query returns. */
export interface Expression<T> {
  readonly sql: string;
  readonly type: StorageType;
  readonly isNullable: boolean;
  /** Table and column of the value. `null` for a computed SQL value, such as `count(*)`. */
  readonly origin: { readonly table: string; readonly column: string } | null;
  /**
   * `true` if SQLite does not guarantee the type of the value, for example the type of `count(*)`. Davit then checks
   * the type in each row.
   */
  readonly isChecked: boolean;
  readonly oneOf: readonly unknown[] | null;
  readonly [VALUE]?: T;
}

type Shape = Record<string, Expression<unknown>>;
type ValueOf<E> = E extends Expression<infer T> ? T : never;
type RowOfShape<S extends Shape> = { -readonly [K in keyof S]: ValueOf<S[K]> };

type ColumnsOf<N extends TableName> = { readonly [K in keyof Schema[N]]: Expression<ColumnValue<Schema[N][K]>> };

/** SQL statement and the typed columns of its result. */
export interface Query<Row> {
  readonly sql: string;
  /**
   * Columns whose types Davit checks in each row of the result. `null` for queries of tests and tools, which are not
   * checked.
   */
  readonly columns: readonly SelectedColumn[] | null;
  readonly [VALUE]?: Row;
}

interface SelectedColumn {
  readonly name: string;
  readonly expression: Expression<unknown>;
}

/** Type of the rows that a query returns. `S` is the type of the column selection, for example `typeof APP_ID`. */
export type Row<S> = S extends Selection<infer R> ? R : never;

/**
 * Returns all columns of a table, for use in `select`.
 * @param alias alias of the table in the SQL statement
 */
export function columnsOf<N extends TableName>(table: N, alias?: string): ColumnsOf<N> {
  const prefix = alias === undefined ? '' : `${alias}.`;
  const entries = Object.entries<Columns[string]>(SCHEMA[table]).map(([name, { type, isNullable }]) => {
    const origin = { table, column: name };
    return [name, { sql: prefix + name, type, isNullable, origin, isChecked: false, oneOf: null }];
  });
  return Object.fromEntries(entries) as ColumnsOf<N>;
}

/** Converts a comma-separated list of names to a union type. For example, `id, slug` becomes `'id' | 'slug'`. */
type Names<L extends string> = L extends `${infer First},${infer Rest}` ? Trim<First> | Names<Rest> : Trim<L>;
type Trim<S extends string> = S extends ` ${infer R}` | `\n${infer R}` | `${infer R} ` ? Trim<R> : S;
/**
 * Type that accepts only a comma-separated list of keys of `T`. For other names, the TypeScript error shows these names
 * in `noSuchColumn`.
 */
type ListOf<T, L extends string> = Names<L> extends keyof T ? L : { noSuchColumn: Exclude<Names<L>, keyof T> };

/**
 * Returns a copy of an object with only the listed properties.
 * @param list comma-separated column names, such as `id, slug`
 */
export function pick<S extends object, const L extends string>(
  from: S,
  list: L & ListOf<S, L>,
): Pick<S, Names<L> & keyof S> {
  const names = (list as string).split(',').map((name) => name.trim());
  return Object.fromEntries(names.map((name) => [name, from[name as keyof S]])) as Pick<S, Names<L> & keyof S>;
}

/**
 * Functions that create computed SQL values, such as `count(*)`. The caller declares the type of the value. Davit
 * checks in each row that the value has this type.
 */
export const sql = {
  integer: <T extends number = number>(text: string) => computed<T>('INTEGER', text),
  real: (text: string) => computed<number>('REAL', text),
  text: <T extends string = string>(text: string) => computed<T>('TEXT', text),
};

function computed<T>(type: StorageType, text: string): Expression<T> {
  return { sql: text, type, isNullable: false, origin: null, isChecked: true, oneOf: null };
}

/**
 * Declares that a selected value may be `null`. Use it for columns of an outer join, and for an aggregate such as
 * `max(id)` if the table can be empty.
 */
export function orNull<T>(expression: Expression<T>): Expression<T | null> {
  return { ...(expression as Expression<T | null>), isNullable: true };
}

/**
 * Declares that the values of a nullable column are never `null`, because the `WHERE` clause excludes `null`. Davit
 * still checks the value in each row.
 */
export function required<T>(expression: Expression<T>): Expression<NonNullable<T>> {
  return { ...(expression as Expression<NonNullable<T>>), isNullable: false, isChecked: true };
}

/**
 * Narrows the type of a column. The `WHERE` clause of the query must exclude all other values. Davit checks the values
 * in each row.
 */
export function oneOf<T, const V extends T>(expression: Expression<T>, ...values: readonly V[]): Expression<V> {
  return { ...(expression as Expression<V>), isChecked: true, oneOf: values };
}

/**
 * Creates a `Selection` of columns and computed SQL values.
 * @param shape map from property name in the result row to column or computed value
 */
export function select<S extends Shape>(shape: S): Selection<RowOfShape<S>> {
  return new Selection(Object.entries<Expression<unknown>>(shape).map(selected));
}

function selected([name, expression]: [string, Expression<unknown>]): SelectedColumn {
  return { name, expression };
}

/**
 * Creates a `Selection` of columns of one table.
 * @param list comma-separated column names, such as `id, slug`
 */
export function selectFrom<N extends TableName, const L extends string>(
  table: N,
  list: L & ListOf<Schema[N], L>,
): Selection<Pick<TableRow<N>, Names<L> & keyof TableRow<N>>> {
  const columns = columnsOf(table) as Record<string, Expression<unknown>>;
  return new Selection(Object.entries(pick(columns, list as string)).map(selected));
}

export class Selection<R> {
  readonly #columns: readonly SelectedColumn[];
  readonly #list: string;
  readonly #queries = new Map<string, Query<R>>();

  constructor(columns: readonly SelectedColumn[]) {
    this.#columns = columns;
    this.#list = columns.map(listed).join(', ');
  }

  /**
   * Returns a `SELECT` query.
   * @param rest SQL text after `FROM`. The text must be constant, because Davit caches a prepared query for each text.
   */
  from(rest: string): Query<R> {
    return this.#query('', rest);
  }

  /**
   * Returns a `SELECT DISTINCT` query.
   * @param rest SQL text after `FROM`. The text must be constant, because Davit caches a prepared query for each text.
   */
  distinctFrom(rest: string): Query<R> {
    return this.#query('DISTINCT ', rest);
  }

  /** Returns a `SELECT` query without `FROM`. The selected values come from query parameters or subqueries. */
  get alone(): Query<R> {
    return this.#query('', null);
  }

  /**
   * Creates a query from a complete SQL statement, such as a `UNION`. The statement must return exactly the columns of
   * the `Selection`.
   */
  as(statement: string): Query<R> {
    return this.#known(statement, () => statement);
  }

  #query(kind: string, rest: string | null): Query<R> {
    const key = kind === '' ? (rest ?? '') : kind + rest;
    return this.#known(key, () => `SELECT ${kind}${this.#list}${rest === null ? '' : ` FROM ${rest}`}`);
  }

  #known(key: string, write: () => string): Query<R> {
    let query = this.#queries.get(key);
    if (query === undefined) {
      const text = write();
      // An outer join can return `null` even for a NOT NULL column, so all values of an outer join are checked.
      const isOuter = /\b(LEFT|RIGHT|FULL)\s+(OUTER\s+)?JOIN\b/i.test(text);
      const columns = isOuter ? this.#columns.map(withCheck) : this.#columns;
      query = { sql: text, columns };
      this.#queries.set(key, query);
    }
    return query;
  }
}

function listed({ name, expression }: SelectedColumn): string {
  return expression.origin?.column === name ? expression.sql : `${expression.sql} AS ${name}`;
}

function withCheck({ name, expression }: SelectedColumn): SelectedColumn {
  return { name, expression: { ...expression, isChecked: true } };
}

const UNCHECKED = new Map<string, Query<unknown>>();

/** Type of a row in which the columns `K` are not `null`. */
export type With<R, K extends keyof R> = Omit<R, K> & { [C in K]: NonNullable<R[C]> };

/**
 * Checks that the listed columns of a row are not `null`, and removes `null` from their TypeScript types.
 * @throws Error if a column is `null`
 */
export function withValues<R extends object, K extends keyof R>(row: R, columns: readonly K[]): With<R, K> {
  const missing = columns.find((column) => row[column] === null);
  if (missing !== undefined)
    throw new Error(`The column ${String(missing)} is null, but its type does not allow null.`);
  return row as With<R, K>;
}

/** Creates a query from SQL text for a test or a tool. Davit does not check that the rows have the type `R`. */
export function unchecked<R = Record<string, unknown>>(text: string): Query<R> {
  const query = UNCHECKED.get(text) ?? { sql: text, columns: null };
  UNCHECKED.set(text, query);
  return query as Query<R>;
}

/** Type check for one column. Davit runs the check on each row of a query result. */
export interface RowCheck {
  readonly at: number;
  readonly name: string;
  readonly typeOf: 'number' | 'string' | 'object';
  readonly isNullable: boolean;
  readonly oneOf: readonly unknown[] | null;
}

/**
 * Returns the type checks for each row of a query.
 * @throws Error if the SQL statement does not return the columns that the query declares
 */
export function checksOf(query: Query<unknown>, statement: StatementSync): readonly RowCheck[] {
  if (query.columns === null) return [];
  const found = statement.columns();
  if (found.length !== query.columns.length) throw mismatch(query, `returns ${found.length} columns`);
  for (const [at, { name, expression }] of query.columns.entries()) {
    const { origin } = expression;
    const seen = found[at];
    if (seen?.name !== name) throw mismatch(query, `returns ${seen?.name} instead of ${name}`);
    if (origin !== null && (seen.table !== origin.table || seen.column !== origin.column)) {
      throw mismatch(query, `returns ${seen.table}.${seen.column} as ${name}, not ${origin.table}.${origin.column}`);
    }
  }
  return query.columns.flatMap(({ name, expression: { isChecked, isNullable, oneOf: values, type } }, at) =>
    isChecked ? [{ at, name, typeOf: TYPE_OF[type], isNullable, oneOf: values }] : [],
  );
}

const TYPE_OF = { INTEGER: 'number', REAL: 'number', TEXT: 'string', BLOB: 'object' } as const;

/**
 * Checks the column values of one row.
 * @throws Error if a value does not have the type that the query declares
 */
export function checkRow(query: Query<unknown>, checks: readonly RowCheck[], values: readonly unknown[]): void {
  for (const { at, name, typeOf, isNullable, oneOf: allowed } of checks) {
    const value = values[at];
    if (value === null ? isNullable : typeof value === typeOf && (allowed === null || allowed.includes(value)))
      continue;
    throw mismatch(query, `returns ${value === null ? 'null' : `a ${typeof value}`} as ${name}`);
  }
}

function mismatch(query: Query<unknown>, what: string): Error {
  return new Error(`read rows: the statement ${what}: ${query.sql}`);
}
