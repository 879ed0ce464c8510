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

  readonly #note: DamageNote | null;
  #damaged = false;

  /**
   * @param now milliseconds since the epoch, for the times of events
   * @throws DatabaseUnusable
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
    // What there is not is not remembered: strangers could ask for it until nothing else is.
    if (value !== undefined) this.#memo.set(key, value);
    return value;
  }

  memoCopy<T>(key: string, read: () => T): T {
    if (this.#inTransaction) return read();
    const text = this.memo(key, () => JSON.stringify(read()) as string | undefined);
    return (text === undefined ? undefined : JSON.parse(text)) as T;
  }

  /**
   * Runs `work` in one transaction: all of it is on disk when this returns, or nothing is when it throws.
   * @throws DavitError if it would be the first change of a request whose caller has lost the rights for it
   */
  tx<T>(work: (tx: Tx) => T): T {
    if (this.#inTransaction) throw new Error('a transaction was opened inside a transaction');
    if (this.#damaged) throw new StoreDamaged();
    // Nothing can come between this and the transaction: both are synchronous, and there is no other writer.
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
      // A reconciler that found nothing to do has changed nothing of what was read.
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

  /** The database was found damaged: by a read, by a write, or by the check of all of it. */
  get isDamaged(): boolean {
    return this.#damaged;
  }

  /** Nothing is written from here on, and the next start checks the file before it goes on. */
  noteDamage(): void {
    if (this.#damaged) return;
    this.#damaged = true;
    try {
      this.#note?.write();
    } catch {
      // If the disk cannot store the note, the next start has to find the damage again.
    }
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

  /** SQLite notices damage when it reads the page. */
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

/** A file that was found damaged before is not served again until it is whole. */
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
