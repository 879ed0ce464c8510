import type { SQLInputValue } from 'node:sqlite';
import type { CommittedEvent, NewEvent } from './event-data.ts';
import type { Query } from './select.ts';

export type { CommittedEvent, NewEvent };

/** Reads. Every function of `db/tables/<noun>.ts` takes one first. */
export interface Reader {
  /** Returns the first row, or undefined. */
  get<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row | undefined;
  all<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row[];
  /** Returns whether the statement has any row. */
  exists(sql: string, ...params: SQLInputValue[]): boolean;
  /**
   * Answers what `read` answered before, unless anything was committed since: for the reads of every request, whose rows
   * must not be changed by who gets them. Nobody else writes to the file, so it is never stale; in a transaction
   * everything is read anew.
   * @param key what is read, with everything it depends on
   */
  memo<T>(key: string, read: () => T): T;
  /**
   * Like {@link memo}, for what there are thousands of: it is kept as one text, since ten thousand trees of small objects
   * are what the collector of garbage would walk over all day. Everybody gets a copy of his own.
   * @param read answers what JSON can hold
   */
  memoCopy<T>(key: string, read: () => T): T;
}

/** Writes: to hold one is to be inside a transaction. */
export interface Tx extends Reader {
  /** Runs a statement; answers how many rows changed and the last row's id. */
  run(sql: string, ...params: SQLInputValue[]): { changes: number; id: number };
  /** Adds an event, announced once the transaction has committed. */
  event(event: NewEvent): void;
}
