import type { Logger } from '@davit/service';
import type { Sealer } from '../seal.ts';
import type { Store, Tx } from '../store.ts';
import { appendAudit, type NewAuditRow } from './audit.ts';
import { RefusalBudget } from './audit-budget.ts';
import { AuditUnwritable, type Subject, type TrailEntry } from './audit-trail.ts';

/** Refusals are gathered for so long: each by itself would cost a disk sync, and anybody can cause them. */
const GATHER_MS = 250;
/** When what was only counted is looked at again. */
const COUNT_MS = 60_000;

export interface AuditLogParts {
  store: Store;
  sealer: Sealer;
  now: () => number;
  log: Logger;
}

/** What is known of something that is done, before it is done. */
export type AuditFacts = Omit<NewAuditRow, 'at' | 'outcome' | 'times'>;

/** An entry that has been told what it is about, once it has been. */
export interface OpenEntry extends TrailEntry {
  subject: Subject | null;
}

/**
 * What is done on this instance, on its way into the audit log. A change has its row in its own transaction, whatever it
 * costs. What was refused changed nothing: such rows are written a moment later, together, and only so many of them.
 */
export class AuditLog implements Disposable {
  readonly #parts: AuditLogParts;
  readonly #budget = new RefusalBudget();
  #timer: NodeJS.Timeout | undefined;
  #isGathering = false;

  constructor(parts: AuditLogParts) {
    this.#parts = parts;
  }

  /** Runs work that no request asked for (a push, a schedule) so that its first change brings its row along. */
  during<T>(facts: AuditFacts, work: () => T): T {
    return this.#parts.store.trail.during(
      this.entry((subject) => withSubject(facts, subject)),
      work,
    );
  }

  /**
   * What `trail.during` needs.
   * @param facts asked for inside the transaction that commits the change, with what was told of it
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

  /** Writes a row by itself: what was done without a change, or failed after one. */
  add(facts: AuditFacts, outcome: 'ok' | 'failed'): void {
    this.#write([{ ...this.#row(facts), outcome }]);
  }

  /**
   * Takes note of what was refused, or failed before anything was changed.
   * @param source what is counted together: a user, or the network that somebody who is nobody asked from
   */
  refuse(facts: AuditFacts, outcome: 'refused' | 'failed', source: string): void {
    this.#budget.take({ ...this.#row(facts), outcome }, source, this.#parts.now());
    if (this.#isGathering) return;
    this.#isGathering = true;
    this.#flushIn(GATHER_MS);
  }

  /** Writes what was gathered: before the log is read, and at the end. */
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
    // Apart: this may happen in the midst of a request, and the timer belongs to none.
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

  /** Nobody waits for these rows any more, so that a disk that is full is for the log alone. */
  #write(rows: readonly NewAuditRow[]): void {
    const { store, log } = this.#parts;
    try {
      store.trail.apart(() => store.tx((tx) => rows.forEach((row) => void this.#append(tx, row))));
    } catch (error) {
      log.error({ error, rows: rows.length }, 'could not write the audit log');
    }
  }
}

/** What was told of a change says more than its address: it names what was made. */
function withSubject(facts: AuditFacts, subject: Subject | null): AuditFacts {
  if (subject === null) return facts;
  return { ...facts, target: subject.target, project_id: subject.projectId ?? facts.project_id };
}
