import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/**
 * Record that is written in the same SQLite transaction as the first change of a request: an audit row, or a used
 * `Idempotency-Key`. Pushes and schedules also write audit rows.
 */
export interface TrailEntry {
  /** Writes the record. Called in each transaction of the request until one of them is committed. */
  write(tx: Tx): void;
  written: boolean;
  /** Receives the resource that the action changes, before the change is committed. */
  about?(subject: Subject): void;
  /**
   * Checks that the caller still has the rights with which the request was authorized. Not set if the work does not
   * depend on the rights of a caller.
   * @throws DavitError if the caller has lost these rights
   */
  demandRights?(): void;
}

/**
 * Resource or user that an action changes. Actions report it if the URL path does not contain it, for example for a
 * newly created resource.
 */
export interface Subject {
  /** Name of the resource or user, such as `shop/production/web`. */
  target: string;
  /** Id of the resource's project. Not set if the resource belongs to no project. */
  projectId?: number;
  /** HTTP status for the audit row. Set if it describes the action more exactly than the status of the response. */
  status?: number;
}

/** Error if the audit row of a change could not be written. The change was rolled back. */
export class AuditUnwritable extends Error {
  override name = 'AuditUnwritable';
}

interface Open {
  entry: TrailEntry;
  outer: Open | null;
  /**
   * `true` if the rights of the caller were checked before an effect outside SQLite, such as the removal of a
   * container.
   */
  hasActed: boolean;
}

/**
 * Connects each change with its audit record: both are written in the same SQLite transaction. `AsyncLocalStorage`
 * carries the open records of the current request, so functions need no parameter for them.
 *
 * The caller's rights are checked again at the start of the request's first transaction. A request may wait for a long
 * time before this transaction. Later transactions are not checked. They complete work that has already begun, and a
 * request may remove the rights of its own caller.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /**
   * Runs `work` with an additional open audit record. Each change in `work` also writes the records that were already
   * open.
   */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
  }

  /** Runs `work` without any open audit record, for example work that continues after the response. */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /** Reports the resource that the current request changes. Call it before the transaction is committed. */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * Checks that the caller of the current request still has the required rights. Call it directly before an effect
   * outside SQLite that comes before the first transaction, such as the removal of a container. Later transactions of
   * the request are then not checked.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRights(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      open.entry.demandRights?.();
      open.hasActed = true;
    }
  }

  /**
   * Checks that the caller of the current request still has the required rights, unless the request has already
   * changed something. Called before each SQLite transaction.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRightsUnlessChanged(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      if (!open.entry.written && !open.hasActed) open.entry.demandRights?.();
    }
  }

  /**
   * Writes all open audit records of the current request. Called in each SQLite transaction directly before the
   * commit. If a record cannot be written, the whole transaction is rolled back.
   * @returns the records that were written
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
   * Marks audit records as not written, after a rollback of their transaction. The next transaction writes the records
   * again.
   */
  undone(entries: readonly TrailEntry[]): void {
    for (const entry of entries) entry.written = false;
  }
}
