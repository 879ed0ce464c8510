import type { Logger } from '@davit/service';
import type { Sealer } from '../seal.ts';
import type { Store, Tx } from '../store.ts';
import { appendAudit, type NewAuditRow } from './audit.ts';
import { RefusalBudget } from './audit-budget.ts';
import { AuditUnwritable, type Subject, type TrailEntry } from './audit-trail.ts';

/**
 * Interval in milliseconds between writes of audit rows for refused requests. The rows of one interval are written in
 * one transaction, so that clients cannot cause many disk writes.
 */
const GATHER_MS = 250;
/** Interval in milliseconds after which the numbers of refused requests are written to the audit log. */
const COUNT_MS = 60_000;

export interface AuditLogParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/** Columns of an audit row whose values are known before the action runs. */
export type AuditFacts = Omit<NewAuditRow, 'at' | 'outcome' | 'times'>;

/** Audit log entry of a running action. The action sets `subject`, which is the resource that it changes. */
export interface OpenEntry extends TrailEntry {
  subject: Subject | null;
}

/**
 * Writes the audit log. The audit row of a change is written in the same transaction as the change. Audit rows of
 * refused requests are written later, and their number is limited.
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
   * Runs work that did not start with an API request, such as the deployment of a pushed image. The first transaction
   * of the work also writes the audit row.
   */
  during<T>(facts: AuditFacts, work: () => T): T {
    return this.#parts.store.trail.during(
      this.entry((subject) => withSubject(facts, subject)),
      work,
    );
  }

  /**
   * Creates the audit log entry of an action, for `trail.during`.
   * @param facts returns the columns of the audit row. Called in the transaction of the change.
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

  /** Writes an audit row for an action that changed nothing, or that failed after its change was committed. */
  add(facts: AuditFacts, outcome: 'ok' | 'failed'): void {
    this.#write([{ ...this.#row(facts), outcome }]);
  }

  /**
   * Adds an audit row for a request that was refused, or that failed before any change.
   * @param source user name, or network of a client that is not signed in
   */
  refuse(facts: AuditFacts, outcome: 'refused' | 'failed', source: string): void {
    this.#budget.take({ ...this.#row(facts), outcome }, source, this.#parts.now());
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#flushIn(GATHER_MS);
  }

  /**
   * Writes the collected audit rows of refused requests. Call this method before the audit log is read, and when the
   * daemon stops.
   */
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
    /*
     * The timer writes audit rows of several requests. It must therefore not run in the async context of the current
     * request.
     */
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
   * Writes audit rows in a separate transaction. An error, such as a full disk, is only logged, because the HTTP
   * responses may already have been sent.
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
 * Adds the changed resource to an audit row. If a request creates a resource, the URL path does not contain the name of
 * the resource.
 */
function withSubject(facts: AuditFacts, subject: Subject | null): AuditFacts {
  if (subject === null) return facts;
  return { ...facts, target: subject.target, project_id: subject.projectId ?? facts.project_id };
}
