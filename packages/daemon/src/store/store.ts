import { EventEmitter } from 'node:events';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { AuditTrail } from './audit-trail.ts';
import { openDatabase } from './database.ts';

/** Reads. Every function of `store/<noun>.ts` takes one first. */
export interface Reader {
  /** The first row, or undefined. The caller names its shape; the schema is STRICT, so it is what the columns say. */
  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined;
  all<T>(sql: string, ...params: SQLInputValue[]): T[];
  /**
   * Answers what `read` answered before, unless anything was committed since: for the reads of every request, whose rows
   * must not be changed by who gets them. Nobody else writes to the file, so it is never stale; in a transaction
   * everything is read anew.
   * @param key what is read, with everything it depends on
   */
  memo<T>(key: string, read: () => T): T;
}

/** Writes: to hold one is to be inside a transaction. */
export interface Tx extends Reader {
  /** Runs a statement; answers how many rows changed and the last row's id. */
  run(sql: string, ...params: SQLInputValue[]): { changes: number; id: number };
  /** Adds an event, announced once the transaction has committed. */
  event(event: NewEvent): void;
}

export interface NewEvent {
  kind: 'project' | 'app' | 'deployment' | 'instance';
  appId?: number;
  deploymentId?: number;
  data?: Record<string, unknown>;
}

export interface CommittedEvent extends NewEvent {
  seq: number;
  at: number;
}

/** How many events are kept; a reader that was away for longer starts again from the present state. */
const EVENTS_KEPT = 100_000;

/** What ten thousand apps need that are read over and over: some 40 MiB at the very most. */
const MEMOS_KEPT = 32_000;

/**
 * The store: one SQLite file, one writer. The calls are synchronous, so a transaction cannot be interleaved with
 * anything: there is no await inside one.
 */
export class Store implements Reader, Disposable {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #statements = new Map<string, StatementSync>();
  readonly #events = new EventEmitter<{ event: [CommittedEvent] }>();
  #inTransaction = false;
  /** What is going on, for the row that a change brings along. */
  readonly trail = new AuditTrail();
  /** What was read since the last commit. */
  readonly #memo = new Map<string, unknown>();

  /** @param now milliseconds since the epoch, for the times of events */
  constructor(path: string, now: () => number = Date.now) {
    this.#db = openDatabase(path);
    this.#now = now;
    this.#events.setMaxListeners(0);
  }

  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#prepare(sql).get(...params) as T | undefined;
  }

  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#prepare(sql).all(...params) as T[];
  }

  memo<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    if (this.#memo.has(key)) return this.#memo.get(key) as T;
    if (this.#memo.size >= MEMOS_KEPT) this.#memo.clear();
    const value = read();
    this.#memo.set(key, value);
    return value;
  }

  /** Runs `work` in one transaction: all of it is on disk when this returns, or nothing is when it throws. */
  tx<T>(work: (tx: Tx) => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside a transaction');
    const events: CommittedEvent[] = [];
    this.#inTransaction = true;
    this.#db.exec('BEGIN IMMEDIATE');
    let result: T;
    try {
      const tx = this.#writer(events);
      result = work(tx);
      this.trail.beforeCommit(tx);
      this.#db.exec('COMMIT');
      this.#memo.clear();
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      throw error;
    } finally {
      this.#inTransaction = false;
    }
    for (const event of events) this.#events.emit('event', event);
    return result;
  }

  /** Calls back for every committed event; answers the function that stops it. */
  onEvent(listener: (event: CommittedEvent) => void): () => void {
    this.#events.on('event', listener);
    return () => this.#events.off('event', listener);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  #writer(events: CommittedEvent[]): Tx {
    const run = (sql: string, ...params: SQLInputValue[]) => {
      const { changes, lastInsertRowid } = this.#prepare(sql).run(...params);
      return { changes: Number(changes), id: Number(lastInsertRowid) };
    };
    return {
      get: (sql, ...params) => this.get(sql, ...params),
      all: (sql, ...params) => this.all(sql, ...params),
      memo: (_, read) => read(),
      run,
      event: (event) => {
        const at = this.#now();
        const { id: seq } = run(
          'INSERT INTO events (at, kind, app_id, deployment_id, data) VALUES (?, ?, ?, ?, ?)',
          at,
          event.kind,
          event.appId ?? null,
          event.deploymentId ?? null,
          JSON.stringify(event.data ?? {}),
        );
        if (seq % 1_000 === 0) run('DELETE FROM events WHERE seq <= ?', seq - EVENTS_KEPT);
        events.push({ ...event, seq, at });
      },
    };
  }

  #prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#db.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}
