import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/**
 * A record that a request, a push or a schedule writes together with its first change: an audit row, or an idempotency
 * key.
 */
export interface TrailEntry {
  /**
   * Writes the record. Called once: inside the first transaction that commits a change, or at the end if there is none.
   */
  write(tx: Tx): void;
  written: boolean;
  /** Receives the subject of the change, see {@link AuditTrail.about}. */
  about?(subject: Subject): void;
  /**
   * Checks that the caller still has the rights that the work required at its start. Not set if the work does not
   * depend on the rights of a caller.
   * @throws DavitError if the caller has lost these rights
   */
  demandRights?(): void;
}

/** Subject of a change, for requests whose address does not contain the subject: a created resource, or an account. */
export interface Subject {
  /** Names only, such as `shop/production/web` or a username. */
  target: string;
  /** Id of the project. Not set if the subject is in no project. */
  projectId?: number;
  /** HTTP status of the response, if it shows the action more exactly than the request. */
  status?: number;
}

/** The audit row could not be written, so the change was rolled back. */
export class AuditUnwritable extends Error {
  override name = 'AuditUnwritable';
}

interface Open {
  entry: TrailEntry;
  outer: Open | null;
  /** `true` if the rights were checked before an effect outside of the store, ahead of the first transaction. */
  hasActed: boolean;
}

/**
 * Writes audit records in the transaction of the change that they describe. There is no change without its record, and
 * no record without its change. The asynchronous context carries the open entries, so callers do not have to pass them.
 *
 * The store checks the rights of a request at the start of its first transaction. A request may wait for a long time
 * between its authorization and its first change. Later transactions are not checked: they complete the started work,
 * and a request may end its own rights.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /** Runs work with an open entry. Entries that are already open stay open. */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
  }

  /** Runs work that belongs to no entry, such as work that continues after the request was answered. */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /** Sets the subject of the current change, before the change is committed. */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * Checks that the caller still has the rights that the work required at its start. Call it directly before an effect
   * outside of the store that precedes the first transaction, such as a deletion at the engine. Later transactions
   * record that effect, so they are not checked again.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRights(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      open.entry.demandRights?.();
      open.hasActed = true;
    }
  }

  /**
   * Like {@link demandRights}, but only for work that has not changed anything yet. The store calls it before each
   * transaction.
   * @throws DavitError as {@link demandRights}
   */
  demandRightsUnlessChanged(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      if (!open.entry.written && !open.hasActed) open.entry.demandRights?.();
    }
  }

  /**
   * Writes the records of all open entries. The store calls it in each transaction before the commit. If a record
   * cannot be written, the change is rolled back.
   * @returns the entries that were written
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

  /**
   * Marks entries as not written, because the store rolled back their transaction. The next transaction writes them
   * again.
   */
  undone(entries: readonly TrailEntry[]): void {
    for (const entry of entries) entry.written = false;
  }
}
