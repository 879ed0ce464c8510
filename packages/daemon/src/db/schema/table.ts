/**
 * Functions that declare the schema. The values describe the columns in SQLite, and the types describe the contents of
 * rows.
 */

export type StorageType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

declare const VALUE: unique symbol;
declare const LEAVABLE: unique symbol;

/** A column with values of type `T`. `Leavable` is `true` if an insert may omit the column. */
export interface Column<T, Leavable extends boolean = boolean> {
  readonly type: StorageType;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** This property does not exist at run time. Only the type checker uses it. */
  readonly [VALUE]?: T;
  readonly [LEAVABLE]?: Leavable;
}

export type Columns = Record<string, Column<unknown>>;

export type ValueOf<C> = C extends Column<infer T> ? T : never;

/** Declares the row number, which SQLite assigns. */
export function rowId(): Column<number, true> {
  return { type: 'INTEGER', isNullable: false, hasDefault: true };
}

export function integer<T extends number = number>(): Column<T, false> {
  return notNull<T>('INTEGER');
}

export function real(): Column<number, false> {
  return notNull<number>('REAL');
}

/** @typeParam T texts that the daemon writes */
export function text<T extends string = string>(): Column<T, false> {
  return notNull<T>('TEXT');
}

export function blob(): Column<Uint8Array, false> {
  return notNull<Uint8Array>('BLOB');
}

export function nullable<T>(column: Column<T>): Column<T | null, true> {
  return { type: column.type, isNullable: true, hasDefault: column.hasDefault };
}

/** Declares that the table has a default value for a column. */
export function withDefault<T>(column: Column<T>): Column<T, true> {
  return { type: column.type, isNullable: column.isNullable, hasDefault: true };
}

function notNull<T>(type: StorageType): Column<T, false> {
  return { type, isNullable: false, hasDefault: false };
}
