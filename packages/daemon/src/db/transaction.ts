import type { SQLInputValue } from 'node:sqlite';
import type { CommittedEvent, NewEvent } from './event-data.ts';
import type { Query } from './select.ts';

export type { CommittedEvent, NewEvent };

/** Read access to the SQLite database, outside or inside a transaction. */
export interface Reader {
  /** Returns the first row of the result, or `undefined` if the result is empty. */
  get<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row | undefined;
  all<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row[];
  /** Returns whether the SQL statement returns at least one row. */
  exists(sql: string, ...params: SQLInputValue[]): boolean;
  /**
   * Caches the result of `read` until a transaction changes a row. Callers must not modify the result.
   * @param key cache key, which must contain every value on which the result depends
   */
  memo<T>(key: string, read: () => T): T;
  /**
   * Caches the result of `read` as JSON text, and returns a copy to each caller. For thousands of items, cached text
   * needs less garbage collection than cached objects.
   */
  memoCopy<T>(key: string, read: () => T): T;
}

/** Read and write access to the SQLite database inside one transaction. */
export interface Tx extends Reader {
  /**
   * Runs an SQL statement.
   * @returns the number of changed rows, and the id of the last inserted row
   */
  run(sql: string, ...params: SQLInputValue[]): { changes: number; id: number };
  /** Inserts an event. Listeners receive the event after the commit. */
  event(event: NewEvent): void;
}
