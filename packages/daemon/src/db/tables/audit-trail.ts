import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/**
 * Record that Davit writes in the same SQLite transaction as the first change of a request, cron run or other action.
 * An example is an audit row.
 */
export interface TrailEntry {
  /**
   * Writes the audit row in the current SQLite transaction. If this transaction is rolled back, the next transaction of
   * the request calls `write` again.
   */
  write(tx: Tx): void;
  written: boolean;
  /**
   * Stores which resource the request changes, so that the audit row names it. Called before the change is committed.
   */
  about?(subject: Subject): void;
  /**
   * Checks that the caller still has the permissions for this request. This method is missing if there is no caller,
   * for example in a scheduled run.
   * @throws DavitError if the caller has lost the permissions
   */
  demandRights?(): void;
}

/**
 * Resource or user that a request changes. Davit writes its name to the audit log. Usually, the URL path of the request
 * contains the name. If it does not, for example when a resource is created, the operation must report the name.
 */
export interface Subject {
  /** Name of the resource or user, such as `shop/production/web`. */
  target: string;
  /** Id of the resource's project. Not set if the resource belongs to no project. */
  projectId?: number;
  /** HTTP status for the audit row. Set only if the status is not the usual status of the API endpoint. */
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
   * `true` if the request has already changed something outside the database, for example removed a Docker container.
   * Davit checked the permissions before that change, so it does not check them again.
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
   * Runs `work` and writes `entry` in the first SQLite transaction of `work`. Calls of this method can be nested. The
   * transaction then also writes the entries of the outer calls that are not written yet.
   */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
  }

  /**
   * Runs `work` outside the current request. If `work` changes something, the audit log does not show this as part of
   * the request. Use this method for work that continues after the HTTP response.
   */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /**
   * Tells the audit log which resource the current request changes. Call this method before the transaction is
   * committed, because the transaction writes the audit row.
   */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * Checks again that the caller of the current request has the required permissions. Call it before an action outside
   * the database, for example before Docker removes a container. A request that has already changed the database does
   * not need this call, because its first transaction has checked the permissions.
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
