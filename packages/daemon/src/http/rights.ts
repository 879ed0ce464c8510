import { DavitError, narrower, type Role } from '@davit/api';
import type { AuthenticationParts } from '../auth/actor.ts';
import { type Actor, isRestricted } from '../auth/context.ts';
import { lookUp } from '../authorization/lookup.ts';
import type { Exchange } from './exchange.ts';

/**
 * Returns the error for a client that lost permissions during its request.
 * @param code use `unauthorized` only for an invalid credential, because clients sign out after this error
 */
export function rightsEnded(code: 'unauthorized' | 'forbidden' = 'unauthorized'): DavitError {
  return new DavitError(
    code,
    'You lost access while the request was waiting. Its work continues; sign in again to see the result.',
  );
}

function rightsChanged(): DavitError {
  return new DavitError(
    'forbidden',
    'Your permissions changed while the request was in progress. Send the request again.',
  );
}

/**
 * Checks a caller's permissions again if there was a database commit since the last check. `doubt` forces a check,
 * because API keys and sessions can also expire without a commit.
 */
export class Rights {
  readonly #parts: AuthenticationParts;
  readonly #exchange: Exchange;
  /**
   * Number of database commits at the last successful permission check. If there was no commit since this check, the
   * permissions are still the same.
   */
  #foundAt = -1;

  constructor(parts: AuthenticationParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  /**
   * Returns whether the caller still has exactly the same permissions as at the start. With more permissions, an event
   * stream would have to send other events.
   */
  hold(): boolean {
    const { store, log } = this.#parts;
    if (this.#foundAt === store.commits) return true;
    try {
      if (!isSame(this.demand(), this.#exchange.signedIn.actor)) return false;
    } catch (error) {
      if (error instanceof DavitError) return false;
      /*
       * After an internal error in the check, the event stream stays open. Davit repeats the check before the next
       * event.
       */
      log.warn(
        { requestId: this.#exchange.requestId, error },
        'permissions of a user for an event stream could not be checked',
      );
      return true;
    }
    this.#foundAt = store.commits;
    return true;
  }

  doubt(): void {
    this.#foundAt = -1;
  }

  /**
   * Checks three conditions: the credential is valid, the object exists, and the caller has not lost permissions.
   * @throws DavitError unauthorized, not_found or forbidden
   */
  demand(): Actor {
    const { endpoint, params, signedIn, target } = this.#exchange;
    const { actor } = this.#exchange.whoAsks({ ...this.#parts, isLook: true });
    if (endpoint?.needs) {
      const { permission, scope } = endpoint.needs;
      const found = lookUp(this.#parts.store, actor, permission, scope, params);
      if (identity(found) !== identity(target)) throw new DavitError('not_found');
    }
    if (!includes(actor, storableRights(signedIn.actor))) throw rightsChanged();
    return actor;
  }
}

/** Permissions of a caller in a form that can be stored as JSON and compared later. */
export interface HeldRights {
  userId: number | null;
  role: Role;
  /** IDs of projects, or `null` for all projects. */
  projects: readonly number[] | null;
  isNarrowed: boolean;
}

/** Returns the permissions of a caller in a form that can be stored as JSON. */
export function storableRights(actor: Actor): HeldRights {
  const { userId, role, projects } = actor;
  return { userId, role, projects, isNarrowed: isNarrowed(actor) };
}

/**
 * Returns whether a caller still has all permissions that it had at an earlier request. The caller may also have
 * additional permissions.
 */
export function includes(now: Actor, before: HeldRights): boolean {
  return (
    now.userId === before.userId &&
    includesRole(now.role, before.role) &&
    seesAll(now.projects, before.projects) &&
    (before.isNarrowed || !isNarrowed(now))
  );
}

function includesRole(now: Role, before: Role): boolean {
  return narrower(now, before) === before;
}

/** Returns whether `now` contains all projects in `before`. `null` means all projects. */
function seesAll(now: Actor['projects'], before: HeldRights['projects']): boolean {
  return now === null || (before?.every((id) => now.includes(id)) ?? false);
}

function isSame(a: Actor, b: Actor): boolean {
  return (
    a.userId === b.userId &&
    a.role === b.role &&
    a.projects?.join() === b.projects?.join() &&
    isNarrowed(a) === isNarrowed(b)
  );
}

/**
 * Returns whether the caller is a restricted API key or a connected client. Such a caller must not change the
 * credentials of its user.
 */
function isNarrowed({ credential }: Actor): boolean {
  return credential !== undefined && isRestricted(credential);
}

/**
 * Returns the ID of the object that a request accesses. If an object is deleted and created again with the same name,
 * its ID is different.
 */
function identity(target: unknown): number | undefined {
  const { id, deployment } = (target ?? {}) as { id?: number; deployment?: { id: number } };
  return deployment?.id ?? id;
}
