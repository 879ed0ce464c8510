import type { SQLInputValue } from 'node:sqlite';
import type { CommittedEvent, NewEvent } from './event-data.ts';
import type { Query } from './select.ts';

export type { CommittedEvent, NewEvent };

/** Reads from the database. A `Reader` is the first parameter of every read function in `db/tables/<noun>.ts`. */
export interface Reader {
  /** Returns the first row, or undefined. */
  get<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row | undefined;
  all<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row[];
  /** Returns whether the statement has any row. */
  exists(sql: string, ...params: SQLInputValue[]): boolean;
  /**
   * Returns the cached result of `read`, unless a transaction was committed since. Requests use this method for
   * frequent reads, and callers must not change the result. The cache is never stale, because no other process writes
   * to the file. Inside a transaction, `read` always runs.
   * @param key name of the data, with every value that the result depends on
   */
  memo<T>(key: string, read: () => T): T;
  /**
   * Like {@link memo}, for data that exists thousands of times. The cache stores JSON text, because many trees of small
   * objects would keep the garbage collector busy. Each caller gets a separate copy.
   * @param read returns a value that JSON can represent
   */
  memoCopy<T>(key: string, read: () => T): T;
}

/** Writes to the database. A `Tx` exists only inside a transaction. */
export interface Tx extends Reader {
  /**
   * Runs a statement.
   * @returns the number of changed rows, and the id of the last inserted row
   */
  run(sql: string, ...params: SQLInputValue[]): { changes: number; id: number };
  /** Adds an event, which is published after the commit. */
  event(event: NewEvent): void;
}
