import { EventEmitter } from 'node:events';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { isDamage } from '@davit/service';
import { DamageNote, StoreDamaged } from './damage.ts';
import { openDatabase } from './database.ts';
import type { RowFinding } from './macs/find-changed.ts';
import { RowMacs } from './macs/row-macs.ts';
import { demandRepaired } from './repaired.ts';
import type { Query } from './select.ts';
import { Statements } from './statements.ts';
import { AuditTrail, type TrailEntry } from './tables/audit-trail.ts';
import { insertEvent, pruneEvents } from './tables/event.ts';
import type { CommittedEvent, NewEvent, Reader, Tx } from './transaction.ts';

export type { CommittedEvent, NewEvent, Reader, Tx };

/** Number of inserted events after which Davit deletes the oldest events. */
const PRUNED_EVERY = 1_000;

/**
 * Maximum number of cached query results. The frequent queries of an instance with 10,000 apps need this many. The
 * cached results use about 20 MiB of memory.
 */
const MEMOS_KEPT = 32_000;

/**
 * Connection to the SQLite database. Only the daemon writes to the file. All methods are synchronous, so no other code
 * runs during a transaction.
 */
export class Store implements Reader, Disposable {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #statements: Statements;
  readonly #events = new EventEmitter<{ event: [CommittedEvent] }>();
  /**
   * Committed events that were not yet sent to the listeners. The queue ensures that all listeners receive events in
   * the same order.
   */
  readonly #unpublished: CommittedEvent[] = [];
  #isPublishing = false;
  #inTransaction = false;
  /** `true` if the current SQLite transaction has changed a row. */
  #hasWritten = false;
  #commits = 0;
  /**
   * Returns the maximum number of events that the database stores. A client that missed more events must reload all its
   * data.
   */
  eventsKept: () => number = () => 100_000;
  /**
   * Audit log entries of HTTP requests in progress. The first transaction of a request also inserts the audit row of
   * this request.
   */
  readonly trail = new AuditTrail();
  /** Cached query results. Each transaction that changes a row clears this cache. */
  readonly #memo = new Map<string, unknown>();

  readonly #note: DamageNote | null;
  #damaged = false;
  /** MACs of the protected rows. `null` until the daemon has read the master key. */
  #macs: RowMacs | null = null;

  /**
   * @param now current time in milliseconds since the epoch
   * @throws DatabaseUnusable if the database cannot be opened or is damaged
   */
  constructor(path: string, now: () => number = Date.now, open: (path: string) => DatabaseSync = openDatabase) {
    this.#note = path === ':memory:' ? null : new DamageNote(path);
    this.#db = open(path);
    if (this.#note?.exists) demandRepaired(this.#db, path, this.#note);
    this.#statements = new Statements(this.#db);
    this.#now = now;
    this.#events.setMaxListeners(0);
  }

  get<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row | undefined {
    return this.#noticing(() => this.#statements.get(query, params));
  }

  all<Row>(query: Query<Row>, ...params: SQLInputValue[]): Row[] {
    return this.#noticing(() => this.#statements.all(query, params));
  }

  exists(sql: string, ...params: SQLInputValue[]): boolean {
    return this.#noticing(() => this.#statements.exists(sql, params));
  }

  memo<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const known = this.#memo.get(key);
    if (known !== undefined) return known as T;
    if (this.#memo.size >= MEMOS_KEPT) this.#memo.clear();
    const value = read();
    // `undefined` is not cached. Otherwise, HTTP requests with random names could fill the cache.
    if (value !== undefined) this.#memo.set(key, value);
    return value;
  }

  memoCopy<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const text = this.memo(key, () => JSON.stringify(read()) as string | undefined);
    return (text === undefined ? undefined : JSON.parse(text)) as T;
  }

  /**
   * Runs `work` in one SQLite transaction. When this method returns, all changes are on disk.
   * @throws DavitError if the caller lost permissions after the start of the request and before its first change
   */
  tx<T>(work: (tx: Tx) => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside a transaction');
    if (this.#damaged) throw new StoreDamaged();
    // The permissions cannot change after this check, because a SQLite transaction blocks all other code of the daemon.
    this.trail.demandRightsUnlessChanged();
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
      this.#macs?.seal();
      this.#db.exec('COMMIT');
      // A transaction without changes does not clear the cache, because the cached query results are still valid.
      if (this.#hasWritten) this.#memo.clear();
      this.#commits += 1;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.#macs?.forget();
      this.trail.undone(entries);
      throw this.#noticed(error);
    } finally {
      this.#inTransaction = false;
    }
    this.#tell(events);
    return result;
  }

  /** Returns whether a read, a write or the full integrity check found damage in the SQLite file. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  /**
   * Marks the SQLite database as damaged. Davit refuses all later writes. When the daemon starts again, it first checks
   * the SQLite file.
   */
  noteDamage(): void {
    if (this.#damaged) return;
    this.#damaged = true;
    try {
      this.#note?.write();
    } catch {
      /*
       * The error is ignored, because the marker file is not essential. Without this file, Davit detects the damage
       * when it next reads the damaged data.
       */
    }
  }

  /**
   * Writes the MACs of all rows that later transactions change.
   * @param key key for MACs, derived from the master key
   */
  protectRows(key: Buffer): RowMacs {
    this.#macs = new RowMacs(this.#db, key);
    return this.#macs;
  }

  /** Checks the MACs of all protected rows. Yields regularly, so that the daemon can answer requests meanwhile. */
  *changedRows(): Generator<void, RowFinding[]> {
    return this.#macs === null ? [] : yield* this.#macs.check();
  }

  /**
   * Number of committed transactions since the start of the daemon. Data that was computed from the database stays
   * valid while this number stays the same.
   */
  get commits(): number {
    return this.#commits;
  }

  /**
   * Calls `listener` for every committed event.
   * @returns a function that removes the listener
   */
  onEvent(listener: (event: CommittedEvent) => void): () => void {
    this.#events.on('event', listener);
    return () => this.#events.off('event', listener);
  }

  [Symbol.dispose](): void {
    this.#db.close();
  }

  /**
   * Runs a read, and marks the database as damaged if SQLite reports damage. SQLite finds damage only in the pages that
   * it reads.
   */
  #noticing<T>(work: () => T): T {
    try {
      return work();
    } catch (error) {
      throw this.#noticed(error);
    }
  }

  #noticed(error: unknown): unknown {
    if (!isDamage(error)) return error;
    this.noteDamage();
    return new StoreDamaged({ cause: error });
  }

  #writer(events: CommittedEvent[]): Tx {
    const run = (sql: string, ...params: SQLInputValue[]) => {
      const written = this.#statements.run(sql, params);
      if (written.changes > 0) this.#hasWritten = true;
      return written;
    };
    const writer = {
      get: <Row>(query: Query<Row>, ...params: SQLInputValue[]) => this.get(query, ...params),
      all: <Row>(query: Query<Row>, ...params: SQLInputValue[]) => this.all(query, ...params),
      exists: (sql: string, ...params: SQLInputValue[]) => this.exists(sql, ...params),
      memo: <T>(_: string, read: () => T) => read(),
      memoCopy: <T>(_: string, read: () => T) => read(),
      run,
    };
    const event = (newEvent: NewEvent) => {
      const committed = insertEvent(writer, newEvent, this.#now());
      if (committed.seq % PRUNED_EVERY === 0) pruneEvents(writer, this.eventsKept());
      events.push(committed);
    };
    return { ...writer, event };
  }

  #tell(events: CommittedEvent[]): void {
    this.#unpublished.push(...events);
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    try {
      for (let event = this.#unpublished.shift(); event; event = this.#unpublished.shift())
        this.#events.emit('event', event);
    } finally {
      this.#isPublishing = false;
    }
  }
}
