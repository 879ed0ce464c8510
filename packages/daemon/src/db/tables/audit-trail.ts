import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/**
 * Record that is written in the same SQLite transaction as the first change of a request, for example an audit row or a
 * used `Idempotency-Key`. Changes by image pushes and cron schedules also have such records.
 */
export interface TrailEntry {
  /**
   * Writes this record to the database. Called in each transaction of the request until one of these transactions is
   * committed.
   */
  write(tx: Tx): void;
  written: boolean;
  /** Called with the resource that the request changes, before the change is committed. */
  about?(subject: Subject): void;
  /**
   * Checks that the caller still has the permissions for this request. Absent if the work does not depend on the
   * permissions of a caller.
   * @throws DavitError if the caller has lost the permissions
   */
  demandRights?(): void;
}

/**
 * Resource or user that a request changes, for the audit row. It must be reported if the URL path does not contain its
 * name, for example for a newly created resource.
 */
export interface Subject {
  /** Name of the resource or user, such as `shop/production/web`. */
  target: string;
  /** Id of the resource's project. Not set if the resource belongs to no project. */
  projectId?: number;
  /** HTTP status for the audit row. Set only if it is more exact than the status of the HTTP response. */
  status?: number;
}

/** Thrown if a change was rolled back because its audit row could not be written. */
export class AuditUnwritable extends Error {
  override name = 'AuditUnwritable';
}

interface Open {
  entry: TrailEntry;
  outer: Open | null;
  /**
   * `true` if the caller's permissions were already checked before an action outside the database, for example before
   * the removal of a Docker container.
   */
  hasActed: boolean;
}

/**
 * Writes each change and its audit record in the same SQLite transaction. `AsyncLocalStorage` holds the open records of
 * the current request, so functions need no parameter for them.
 *
 * The caller's permissions are checked again at the start of the first transaction, because a request may wait for a
 * long time before it. Later transactions are not checked, because they complete work that has already begun. A request
 * may even remove the permissions of its own caller.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /**
   * Runs `work` with an additional audit record. The first transaction of `work` writes this record and all other
   * records that are not written yet.
   */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
  }

  /**
   * Runs `work` outside the audit log of the current request, so that changes by `work` are not recorded as changes of
   * this request. Used for example for work that continues after the HTTP response.
   */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /**
   * Reports the resource that the current request changes, for the audit row. Call it before the transaction is
   * committed.
   */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * Checks again that the caller of the current request has the required permissions. Call it directly before an action
   * outside the database, such as the removal of a Docker container. It is needed only if the request has not changed
   * the database yet, because the first transaction also does this check.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRights(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      open.entry.demandRights?.();
      open.hasActed = true;
    }
  }

  /**
   * Checks that the caller of the current request still has the required permissions. Skips the check if the request
   * has already changed something. Called before each SQLite transaction.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRightsUnlessChanged(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      if (!open.entry.written && !open.hasActed) open.entry.demandRights?.();
    }
  }

  /**
   * Writes all open audit records of the current request. Call it in each SQLite transaction directly before the
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
   * Marks audit records as not written, because their transaction was rolled back. The next transaction writes these
   * records again.
   */
  undone(entries: readonly TrailEntry[]): void {
    for (const entry of entries) entry.written = false;
  }
}
