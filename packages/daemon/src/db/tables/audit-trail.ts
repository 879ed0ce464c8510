import { AsyncLocalStorage } from 'node:async_hooks';
import type { Tx } from '../transaction.ts';

/**
 * Record that Davit writes in the same SQLite transaction as the first change of an action. The action is a request or
 * a cron run, for example. The record is an audit row, for example.
 */
export interface TrailEntry {
  /**
   * Writes the audit row in the current SQLite transaction. If Davit rolls back this transaction, the next transaction
   * of the request calls `write` again.
   */
  write(tx: Tx): void;
  written: boolean;
  /**
   * Sets the resource that the request changes, so that the audit row contains its name. Called before the change is
   * committed.
   */
  about?(subject: Subject): void;
  /**
   * Checks that the caller still has the permissions for this request. Not set for work without a caller, such as a
   * scheduled run.
   * @throws DavitError if the caller no longer has the permissions
   */
  demandRights?(): void;
}

/**
 * Resource that a request changes, for the audit log. An operation must report the resource if the URL path does not
 * contain the resource's name.
 */
export interface Subject {
  /** Name of the resource or user. For example, `shop/production/web` is the name of an app. */
  target: string;
  /** Id of the resource's project. Not set if the resource belongs to no project. */
  projectId?: number;
  /** HTTP status for the audit row. Set only if the status is not the usual status of the API endpoint. */
  status?: number;
}

/** Error for a change that was rolled back because its audit row could not be written. */
export class AuditUnwritable extends Error {
  override name = 'AuditUnwritable';
}

interface Open {
  entry: TrailEntry;
  outer: Open | null;
  /**
   * `true` if the request has already changed something outside the database. Davit then does not check the permissions
   * again.
   */
  hasActed: boolean;
}

/**
 * Writes the audit records of a request in the same SQLite transaction as the request's first change.
 * `AsyncLocalStorage` contains the records that are not written yet.
 */
export class AuditTrail {
  readonly #open = new AsyncLocalStorage<Open | null>();

  /**
   * Runs `work`. The first SQLite transaction of `work` also writes `entry`, and records of outer calls that are not
   * written yet.
   */
  during<T>(entry: TrailEntry, work: () => T): T {
    return this.#open.run({ entry, outer: this.#open.getStore() ?? null, hasActed: false }, work);
  }

  /**
   * Runs `work` outside the current request and its audit record. Use this method for work that continues after the
   * HTTP response.
   */
  apart<T>(work: () => T): T {
    return this.#open.run(null, work);
  }

  /**
   * Sets the resource that the current request changes. Call this method before the commit, because the audit row is
   * written in the same transaction.
   */
  about(subject: Subject): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) open.entry.about?.(subject);
  }

  /**
   * Checks the caller's permissions again. Call this method before a change outside the database.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRights(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      open.entry.demandRights?.();
      open.hasActed = true;
    }
  }

  /**
   * Checks the caller's permissions before the first change. They may have changed while the request waited.
   * @throws DavitError unauthorized, forbidden or not_found
   */
  demandRightsUnlessChanged(): void {
    for (let open = this.#open.getStore() ?? null; open; open = open.outer) {
      /*
       * Permissions are checked only before the first change of a request. Otherwise, a request could not remove
       * permissions of its own user.
       */
      if (!open.entry.written && !open.hasActed) open.entry.demandRights?.();
    }
  }

  /**
   * Writes all audit records of the current request that are not written yet. Call this method directly before each
   * commit. An error rolls back the transaction.
   * @returns the written records
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
