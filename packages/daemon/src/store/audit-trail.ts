import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from './store.ts';

/** What a request (or a push, or a schedule) leaves behind with what it changes: a row of the audit log, a taken key. */
export interface TrailEntry {
  /** Writes the row; called once, inside the first transaction that commits a change, or at the end without one. */
  write(tx: Tx): void;
  written: boolean;
  /** Hears what it is about, see {@link AuditTrail.about}. */
  about?(subject: Subject): void;
}

/** What a change is about, where the address that was asked does not tell: a thing that it makes, an account. */
export interface Subject {
  /** Names alone, such as `shop/production/web` or a username. */
  target: string;
  /** Absent: in no project. */
  projectId?: number;
  /** How it is answered, where that tells what was done and the request does not. */
  status?: number;
}

/** A row of the audit log cannot be written, and so nothing else was. */
export class AuditUnwritable extends Error {
  override name = 'AuditUnwritable';
}

interface Open {
  entry: TrailEntry;
  outer: Open | null;
}

/**
 * Ties changes to the rows that tell of them: whoever opens a transaction while entries are open writes their rows with
 * it, so there is no change without a row and no row of a change without it. They are carried by the asynchronous
 * context, since a rule that each caller would have to keep is one that somebody forgets.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /** Runs what an entry is about; entries that are open already stay open. */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null }, work);
  }

  /** Runs what belongs to no entry: work that goes on after whoever began it was answered. */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /** Says what the change that is going on is about, before it is committed. */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * For the store: called in each transaction before it commits. A row that cannot be written undoes the change.
   * Answers the entries that it wrote.
   */
  beforeCommit(tx: Tx): readonly TrailEntry[] {
    const written: TrailEntry[] = [];
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      const { entry } = open;
      if (entry.written) continue;
      try {
        entry.write(tx);
      } catch (cause) {
        this.undone(written);
        throw cause;
      }
      entry.written = true;
      written.push(entry);
    }
    return written;
  }

  /** For the store: the transaction in which these were written was undone, and the next one writes them again. */
  undone(entries: readonly TrailEntry[]): void {
    for (const entry of entries) entry.written = false;
  }
}
