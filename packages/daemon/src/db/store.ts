import { EventEmitter } from 'node:events';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { DatabaseUnusable, isDamage } from '@davit/service';
import { DamageNote, REPAIR, StoreDamaged } from './damage.ts';
import { openDatabase } from './database.ts';
import { findDamage } from './find-damage.mjs';
import type { Query } from './select.ts';
import { Statements } from './statements.ts';
import { AuditTrail, type TrailEntry } from './tables/audit-trail.ts';
import { insertEvent, pruneEvents } from './tables/event.ts';
import type { CommittedEvent, NewEvent, Reader, Tx } from './transaction.ts';

export type { CommittedEvent, NewEvent, Reader, Tx };

/** Number of new events between two checks whether old events must be deleted. */
const PRUNED_EVERY = 1_000;

/** Maximum number of cached results. The frequent reads of 10,000 apps need this many, about 20 MiB. */
const MEMOS_KEPT = 32_000;

/**
 * Access to the SQLite file, which has only one writer. All calls are synchronous and a transaction contains no
 * `await`, so no other work runs during a transaction.
 */
export class Store implements Reader, Disposable {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #statements: Statements;
  readonly #events = new EventEmitter<{ event: [CommittedEvent] }>();
  /**
   * Events that are committed but not published yet. A listener may write to the store; events of that write are
   * published after all earlier events.
   */
  readonly #untold: CommittedEvent[] = [];
  #telling = false;
  #inTransaction = false;
  /** `true` if the open transaction has changed a row. */
  #hasWritten = false;
  #commits = 0;
  /**
   * Returns the maximum number of stored events. A client that missed more events than this must load the present state
   * again.
   */
  eventsKept: () => number = () => 100_000;
  /** Audit entries of the requests in progress, written together with their first change. */
  readonly trail = new AuditTrail();
  /** Results of reads since the last commit. */
  readonly #memo = new Map<string, unknown>();

  readonly #note: DamageNote | null;
  #damaged = false;

  /**
   * Opens the database.
   * @param now milliseconds since the epoch, for the times of events
   * @throws DatabaseUnusable if the database cannot be opened or is damaged
   */
  constructor(path: string, now: () => number = Date.now) {
    this.#note = path === ':memory:' ? null : new DamageNote(path);
    this.#db = openDatabase(path);
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
    // Missing values are not cached. Otherwise, requests for names that do not exist could fill the cache.
    if (value !== undefined) this.#memo.set(key, value);
    return value;
  }

  memoCopy<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const text = this.memo(key, () => JSON.stringify(read()) as string | undefined);
    return (text === undefined ? undefined : JSON.parse(text)) as T;
  }

  /**
   * Runs `work` in one transaction. All changes are on disk when this method returns, and none of them if it throws.
   * @throws DavitError if this would be the first change of a request whose caller has lost the required rights
   */
  tx<T>(work: (tx: Tx) => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside a transaction');
    if (this.#damaged) throw new StoreDamaged();
    // No change can happen between this check and the transaction: both are synchronous, and there is no other writer.
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
      this.#db.exec('COMMIT');
      // A transaction without a write, for example of a reconciler with nothing to do, leaves the cached reads valid.
      if (this.#hasWritten) this.#memo.clear();
      this.#commits += 1;
    } catch (error) {
      if (this.#db.isTransaction) this.#db.exec('ROLLBACK');
      this.trail.undone(entries);
      throw this.#noticed(error);
    } finally {
      this.#inTransaction = false;
    }
    this.#tell(events);
    return result;
  }

  /** Returns whether a read, a write or the check of the whole database found damage. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  /**
   * Records damage. After this call the store refuses writes, and the next start checks the file before the daemon uses
   * it.
   */
  noteDamage(): void {
    if (this.#damaged) return;
    this.#damaged = true;
    try {
      this.#note?.write();
    } catch {
      // If the disk cannot store the note, the next start has to find the damage again.
    }
  }

  /** Number that grows with every commit. Data derived from the store stays valid while this number does not change. */
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

  /** Runs a read. SQLite detects damage only when it reads the damaged page. */
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

/** Checks a file that was found damaged before. The daemon does not use the file until it is intact. */
function demandRepaired(db: DatabaseSync, path: string, note: DamageNote): void {
  let found: string[];
  try {
    found = findDamage(db);
  } catch (cause) {
    db.close();
    throw new DatabaseUnusable('damaged', `The database ${path} is damaged. ${REPAIR}`, { cause });
  }
  if (found.length > 0) {
    db.close();
    throw new DatabaseUnusable('damaged', `The database ${path} is damaged: a full check failed. ${REPAIR}`);
  }
  note.remove();
}
