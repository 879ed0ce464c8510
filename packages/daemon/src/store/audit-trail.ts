import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from './store.ts';

/** What a request (or a push, or a schedule) does, on its way into the audit log. */
export interface AuditEntry {
  /** Writes the row; called once, inside the first transaction that commits a change, or at the end without one. */
  write(tx: Tx): void;
  written: boolean;
}

/**
 * Ties changes to the audit row that tells of them: whoever opens a transaction while an entry is open writes the row
 * with it, so there is no change without a row and no row of a change without it. It is carried by the asynchronous
 * context, since a rule that each caller would have to keep is one that somebody forgets.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<AuditEntry | null>();

  /** Runs what an entry is about. */
  during<T>(entry: AuditEntry, work: () => T): T {
    return this.#open.run(entry, work);
  }

  /** Runs what belongs to no entry: work that goes on after whoever began it was answered. */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /** For the store: called in each transaction before it commits. A row that cannot be written undoes the change. */
  beforeCommit(tx: Tx): void {
    const entry = this.#open.getStore();
    if (!entry || entry.written) return;
    entry.write(tx);
    entry.written = true;
  }
}
