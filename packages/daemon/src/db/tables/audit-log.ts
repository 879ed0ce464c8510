import type { Logger } from '@davit/service';
import type { Sealer } from '../seal.ts';
import type { Store, Tx } from '../store.ts';
import { appendAudit, type NewAuditRow } from './audit.ts';
import { RefusalBudget } from './audit-budget.ts';
import { AuditUnwritable, type Subject, type TrailEntry } from './audit-trail.ts';

/**
 * Time in milliseconds for which refused requests are collected and then written in one transaction. A transaction for
 * each request would cost a disk sync, and any client can send requests that are refused.
 */
const GATHER_MS = 250;
/** Time in milliseconds until the next attempt to write the counted refused requests. */
const COUNT_MS = 60_000;

export interface AuditLogParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/** Columns of an audit row that are known before the action runs. */
export type AuditFacts = Omit<NewAuditRow, 'at' | 'outcome' | 'times'>;

/** Entry of the audit log for an action in progress. The action itself sets the affected resource (`subject`). */
export interface OpenEntry extends TrailEntry {
  subject: Subject | null;
}

/**
 * Writes actions on this instance to the audit log. A change gets its audit row in the same SQLite transaction.
 * Refused requests change nothing, so their audit rows are limited in number and are written later, several at once.
 */
export class AuditLog implements Disposable {
  readonly #parts: AuditLogParts;
  readonly #budget = new RefusalBudget();
  #timer: NodeJS.Timeout | undefined;
  #isGathering = false;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
  }

  /**
   * Runs work that no API request started, such as the deployment of a pushed image. The first SQLite transaction of
   * the work also writes the audit row.
   */
  during<T>(facts: AuditFacts, work: () => T): T {
    return this.#parts.store.trail.during(
      this.entry((subject) => withSubject(facts, subject)),
      work,
    );
  }

  /**
   * Creates the audit log entry for `trail.during`.
   * @param facts returns the columns of the audit row. Called inside the transaction of the change, with the affected
   * resource if the action reported one.
   */
  entry(facts: (subject: Subject | null) => AuditFacts): OpenEntry {
    const entry: OpenEntry = {
      written: false,
      subject: null,
      about: (subject) => {
        entry.subject = subject;
      },
      write: (tx) => this.#append(tx, { ...this.#row(facts(entry.subject)), outcome: 'ok' }),
    };
    return entry;
  }

  /** Writes an audit row in its own transaction, for an action without changes or with a failure after a change. */
  add(facts: AuditFacts, outcome: 'ok' | 'failed'): void {
    this.#write([{ ...this.#row(facts), outcome }]);
  }

  /**
   * Records a request that was refused, or that failed before any change. The audit row is written later.
   * @param source user, or network of an unauthenticated caller. Requests of the same source are counted together.
   */
  refuse(facts: AuditFacts, outcome: 'refused' | 'failed', source: string): void {
    this.#budget.take({ ...this.#row(facts), outcome }, source, this.#parts.now());
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#flushIn(GATHER_MS);
  }

  /** Writes the collected audit rows. Called before the audit log is read, and when the daemon stops. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#isGathering = false;
    const rows = this.#budget.drain(this.#parts.now());
    if (rows.length > 0) this.#write(rows);
    if (this.#budget.isHolding) this.#flushIn(COUNT_MS);
  }

  [Symbol.dispose](): void {
    this.#budget.close();
    this.flush();
  }

  #flushIn(ms: number): void {
    clearTimeout(this.#timer);
    // `apart` separates the timer from the current request. Otherwise the timer's transaction would belong to the
    // request's audit entry.
    this.#timer = this.#parts.store.trail.apart(() => setTimeout(() => this.flush(), ms).unref());
  }

  #row(facts: AuditFacts): Omit<NewAuditRow, 'outcome'> {
    return { ...facts, at: this.#parts.now(), times: 1 };
  }

  #append(tx: Tx, row: NewAuditRow): void {
    try {
      appendAudit(tx, this.#parts.sealer, row);
    } catch (cause) {
      throw new AuditUnwritable('write the audit log', { cause });
    }
  }

  /**
   * Writes audit rows of requests that already got a response. A failed write, for example because the disk is full,
   * is only logged.
   */
  #write(rows: readonly NewAuditRow[]): void {
    const { store, log } = this.#parts;
    try {
      store.trail.apart(() => store.tx((tx) => rows.forEach((row) => void this.#append(tx, row))));
    } catch (error) {
      log.error({ error, rows: rows.length }, 'audit log could not be written');
    }
  }
}

/**
 * Adds the affected resource to the columns of an audit row. The resource is more exact than the path of the request,
 * because it names newly created resources.
 */
function withSubject(facts: AuditFacts, subject: Subject | null): AuditFacts {
  if (subject === null) return facts;
  return { ...facts, target: subject.target, project_id: subject.projectId ?? facts.project_id };
}
