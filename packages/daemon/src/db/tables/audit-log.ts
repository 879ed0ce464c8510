import type { Logger } from '@davit/service';
import type { Sealer } from '../seal.ts';
import type { Store, Tx } from '../store.ts';
import { appendAudit, type NewAuditRow } from './audit.ts';
import { RefusalBudget } from './audit-budget.ts';
import { AuditUnwritable, type Subject, type TrailEntry } from './audit-trail.ts';

/**
 * Time in milliseconds for which refused requests are collected before they are written together. A separate write for
 * each would cost a disk sync, and any client can cause refused requests.
 */
const GATHER_MS = 250;
/** Time in milliseconds after which the counted requests are checked again. */
const COUNT_MS = 60_000;

export interface AuditLogParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/** Facts about an action that are known before it runs. */
export type AuditFacts = Omit<NewAuditRow, 'at' | 'outcome' | 'times'>;

/** An audit entry whose subject is set during the action. */
export interface OpenEntry extends TrailEntry {
  subject: Subject | null;
}

/**
 * Writes actions on this instance to the audit log. Each change gets a row in its own transaction. Refused requests
 * changed nothing, so their rows are written later, together, and their number is limited.
 */
export class AuditLog implements Disposable {
  readonly #parts: AuditLogParts;
  readonly #budget = new RefusalBudget();
  #timer: NodeJS.Timeout | undefined;
  #isGathering = false;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
  }

  /** Runs work that no request started (a push, a schedule). The first change of the work also writes its audit row. */
  during<T>(facts: AuditFacts, work: () => T): T {
    return this.#parts.store.trail.during(
      this.entry((subject) => withSubject(facts, subject)),
      work,
    );
  }

  /**
   * Creates the entry for `trail.during`.
   * @param facts called inside the transaction that commits the change, with the subject that the work reported
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

  /** Writes a separate row for an action that changed nothing, or that failed after a change. */
  add(facts: AuditFacts, outcome: 'ok' | 'failed'): void {
    this.#write([{ ...this.#row(facts), outcome }]);
  }

  /**
   * Records a request that was refused, or that failed before a change.
   * @param source key under which requests are counted together: a user, or the network of an unauthenticated caller
   */
  refuse(facts: AuditFacts, outcome: 'refused' | 'failed', source: string): void {
    this.#budget.take({ ...this.#row(facts), outcome }, source, this.#parts.now());
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#flushIn(GATHER_MS);
  }

  /** Writes the collected rows. Called before the log is read, and when the daemon stops. */
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
    // `apart` detaches the timer from the current request, because the timer belongs to no request.
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
   * Writes rows of requests that have already been answered. A failed write, for example on a full disk, can only be
   * logged.
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
 * Returns the facts with the reported subject, which is more exact than the address of the request: it names created
 * resources.
 */
function withSubject(facts: AuditFacts, subject: Subject | null): AuditFacts {
  if (subject === null) return facts;
  return { ...facts, target: subject.target, project_id: subject.projectId ?? facts.project_id };
}
