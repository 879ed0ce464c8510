/** The words in which the schema is declared. Values say what SQLite has to have, types what the rows hold. */

export type StorageType = 'INTEGER' | 'REAL' | 'TEXT' | 'BLOB';

declare const VALUE: unique symbol;
declare const LEAVABLE: unique symbol;

/** A column with values of type `T`. `Leavable` says whether an insert may leave the column out. */
export interface Column<T, Leavable extends boolean = boolean> {
  readonly type: StorageType;
  readonly isNullable: boolean;
  readonly hasDefault: boolean;
  /** For the type checker alone. */
  readonly [VALUE]?: T;
  readonly [LEAVABLE]?: Leavable;
}

export type Columns = Record<string, Column<unknown>>;

export type ValueOf<C> = C extends Column<infer T> ? T : never;

/** The number of a row, given by SQLite. */
export function rowId(): Column<number, true> {
  return { type: 'INTEGER', isNullable: false, hasDefault: true };
}

export function integer<T extends number = number>(): Column<T, false> {
  return notNull<T>('INTEGER');
}

export function real(): Column<number, false> {
  return notNull<number>('REAL');
}

/** @typeParam T the texts that this program writes */
export function text<T extends string = string>(): Column<T, false> {
  return notNull<T>('TEXT');
}

export function blob(): Column<Uint8Array, false> {
  return notNull<Uint8Array>('BLOB');
}

export function nullable<T>(column: Column<T>): Column<T | null, true> {
  return { type: column.type, isNullable: true, hasDefault: column.hasDefault };
}

/** A column with a default value in the table. */
export function withDefault<T>(column: Column<T>): Column<T, true> {
  return { type: column.type, isNullable: column.isNullable, hasDefault: true };
}

function notNull<T>(type: StorageType): Column<T, false> {
  return { type, isNullable: false, hasDefault: false };
}
