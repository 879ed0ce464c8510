import { EventEmitter } from 'node:events';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { AuditTrail, type TrailEntry } from './audit-trail.ts';
import { openDatabase } from './database.ts';
import { insertEvent, pruneEvents } from './event.ts';
import { Statements } from './statements.ts';

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

export interface NewEvent {
  kind: 'project' | 'app' | 'deployment' | 'instance' | 'task' | 'resource';
  /** Absent: the one of the app or the deployment, where there is one. */
  projectId?: number;
  appId?: number;
  deploymentId?: number;
  data?: Record<string, unknown>;
}

export interface CommittedEvent {
  seq: number;
  /** Milliseconds since the epoch. */
  at: number;
  kind: NewEvent['kind'];
  /** Null: of no project. */
  projectId: number | null;
  appId: number | null;
  /** The app's reference at that time. */
  app: string | null;
  deploymentId: number | null;
  data: Record<string, unknown>;
}

/** Events between two looks at how many there are. */
const PRUNED_EVERY = 1_000;

/** What ten thousand apps need that are read over and over: some 20 MiB. */
const MEMOS_KEPT = 32_000;

/**
 * The store: one SQLite file, one writer. The calls are synchronous, so a transaction cannot be interleaved with
 * anything: there is no await inside one.
 */
export class Store implements Reader, Disposable {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #statements: Statements;
  readonly #events = new EventEmitter<{ event: [CommittedEvent] }>();
  /** Committed and not announced yet: a listener may write, and what that tells comes after what is told already. */
  readonly #untold: CommittedEvent[] = [];
  #telling = false;
  #inTransaction = false;
  /** The transaction that is open has changed a row. */
  #hasWritten = false;
  #commits = 0;
  /** How many events are kept; a reader that was away for longer starts again from the present state. */
  eventsKept: () => number = () => 100_000;
  /** What is going on, for the row that a change brings along. */
  readonly trail = new AuditTrail();
  /** What was read since the last commit. */
  readonly #memo = new Map<string, unknown>();

  /** @param now milliseconds since the epoch, for the times of events */
  constructor(path: string, now: () => number = Date.now) {
    this.#db = openDatabase(path);
    this.#statements = new Statements(this.#db);
    this.#now = now;
    this.#events.setMaxListeners(0);
  }

  get<T>(sql: string, ...params: SQLInputValue[]): T | undefined {
    return this.#statements.get(sql, params);
  }

  all<T>(sql: string, ...params: SQLInputValue[]): T[] {
    return this.#statements.all(sql, params);
  }

  memo<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const known = this.#memo.get(key);
    if (known !== undefined) return known as T;
    if (this.#memo.size >= MEMOS_KEPT) this.#memo.clear();
    const value = read();
    // What there is not is not remembered: strangers could ask for it until nothing else is.
    if (value !== undefined) this.#memo.set(key, value);
    return value;
  }

  memoCopy<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const text = this.memo(key, () => JSON.stringify(read()) as string | undefined);
    return (text === undefined ? undefined : JSON.parse(text)) as T;
  }

  /** Runs `work` in one transaction: all of it is on disk when this returns, or nothing is when it throws. */
  tx<T>(work: (tx: Tx) => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside a transaction');
    const events: CommittedEvent[] = [];
    this.#inTransaction = true;
    this.#hasWritten = false;
    this.#db.exec('BEGIN IMMEDIATE');
    let result: T;
    let entries: readonly TrailEntry[] = [];
    try {
      const tx = this.#writer(events);
      result = work(tx);
      entries = this.trail.beforeCommit(tx);
      this.#db.exec('COMMIT');
      // A reconciler that found nothing to do has changed nothing of what was read.
      if (this.#hasWritten) this.#memo.clear();
      this.#commits += 1;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.trail.undone(entries);
      throw error;
    } finally {
      this.#inTransaction = false;
    }
    this.#tell(events);
    return result;
  }

  /** Grows with every commit: what was found out at one stays true until the next. */
  get commits(): number {
    return this.#commits;
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
      const written = this.#statements.run(sql, params);
      if (written.changes > 0) this.#hasWritten = true;
      return written;
    };
    const writer = {
      get: <T>(sql: string, ...params: SQLInputValue[]) => this.get<T>(sql, ...params),
      all: <T>(sql: string, ...params: SQLInputValue[]) => this.all<T>(sql, ...params),
      memo: <T>(_: string, read: () => T) => read(),
      memoCopy: <T>(_: string, read: () => T) => read(),
      run,
    };
    const event = (told: NewEvent) => {
      const committed = insertEvent(writer, told, this.#now());
      if (committed.seq % PRUNED_EVERY === 0) pruneEvents(writer, this.eventsKept());
      events.push(committed);
    };
    return { ...writer, event };
  }

  #tell(events: CommittedEvent[]): void {
    this.#untold.push(...events);
    if (this.#telling) return;
    this.#telling = true;
    try {
      for (let event = this.#untold.shift(); event; event = this.#untold.shift()) this.#events.emit('event', event);
    } finally {
      this.#telling = false;
    }
  }
}
