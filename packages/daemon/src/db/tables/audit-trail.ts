import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/** What a request (or a push, or a schedule) leaves behind with what it changes: a row of the audit log, a taken key. */
export interface TrailEntry {
  /** Writes the row; called once, inside the first transaction that commits a change, or at the end without one. */
  write(tx: Tx): void;
  written: boolean;
  /** Hears what it is about, see {@link AuditTrail.about}. */
  about?(subject: Subject): void;
  /**
   * Makes sure that the caller still has the rights with which the work was let in. Absent: no caller's rights decide.
   * @throws DavitError
   */
  demandRights?(): void;
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
  /** The rights were checked at an effect outside of the store, which came before the first transaction. */
  hasActed: boolean;
}

/**
 * Ties changes to the rows that tell of them: whoever opens a transaction while entries are open writes their rows with
 * it, so there is no change without a row and no row of a change without it. They are carried by the asynchronous
 * context, since a rule that each caller would have to keep is one that somebody forgets.
 *
 * The rights of a request are checked when its first transaction begins, because a request may wait for a long time
 * between the check that let it in and its first change. Later transactions complete what was begun, and a request may
 * end its own rights, so they are not checked.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /** Runs what an entry is about; entries that are open already stay open. */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
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
   * Makes sure that the caller still has the rights with which this work was let in. Call it right before an effect
   * outside of the store that comes before the first transaction, such as a deletion at the engine. The transactions
   * afterwards record that effect, so that they are not checked again.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRights(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      open.entry.demandRights?.();
      open.hasActed = true;
    }
  }

  /**
   * The same for work that has changed nothing yet; what has changed something is let through. The store calls it before
   * each transaction.
   * @throws DavitError as {@link demandRights}
   */
  demandRightsUnlessChanged(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      if (!open.entry.written && !open.hasActed) open.entry.demandRights?.();
    }
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
