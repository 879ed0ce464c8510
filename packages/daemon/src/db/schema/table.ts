/**
 * Functions that declare the columns of SQLite tables. A column declaration has the TypeScript type of the column's
 * values.
 */

export type StorageType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

declare const VALUE: unique symbol;
declare const LEAVABLE: unique symbol;

/** A column of a SQLite table with values of type `T`. `Leavable` is `true` if an `INSERT` may omit the column. */
export interface Column<T, Leavable extends boolean = boolean> {
  readonly type: StorageType;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** Declares the type `T` for TypeScript only. The property does not exist at run time. */
  readonly [VALUE]?: T;
  readonly [LEAVABLE]?: Leavable;
}

export type Columns = Record<string, Column<unknown>>;

export type ValueOf<C> = C extends Column<infer T> ? T : never;

/** Declares an integer primary key column. SQLite assigns the values of this column. */
export function rowId(): Column<number, true> {
  return { type: 'INTEGER', isNullable: false, hasDefault: true };
}

export function integer<T extends number = number>(): Column<T, false> {
  return notNull<T>('INTEGER');
}

export function real(): Column<number, false> {
  return notNull<number>('REAL');
}

/**
 * Declares a TEXT column that is never `null`.
 * @typeParam T strings that the column can contain, for example `'app' | 'database'`
 */
export function text<T extends string = string>(): Column<T, false> {
  return notNull<T>('TEXT');
}

export function blob(): Column<Uint8Array, false> {
  return notNull<Uint8Array>('BLOB');
}

export function nullable<T>(column: Column<T>): Column<T | null, true> {
  return { type: column.type, isNullable: true, hasDefault: column.hasDefault };
}

/** Declares that a column has a default value in SQLite. An `INSERT` may then omit the column. */
export function withDefault<T>(column: Column<T>): Column<T, true> {
  return { type: column.type, isNullable: column.isNullable, hasDefault: true };
}

function notNull<T>(type: StorageType): Column<T, false> {
  return { type, isNullable: false, hasDefault: false };
}
