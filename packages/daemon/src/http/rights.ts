import { DavitError, narrower, type Role } from '@davit/api';
import type { AuthenticationParts } from '../auth/actor.ts';
import { type Actor, isRestricted } from '../auth/context.ts';
import { lookUp } from '../authorization/lookup.ts';
import type { Exchange } from './exchange.ts';

/**
 * Returns the error that a client gets instead of the response if its rights ended.
 * @param code `unauthorized` only if the credential is no longer valid, because clients sign out after this error
 */
export function rightsEnded(code: 'unauthorized' | 'forbidden' = 'unauthorized'): DavitError {
  return new DavitError(
    code,
    'You lost access while the request was waiting, but the started work continues. Sign in again to see the result.',
  );
}

function rightsChanged(): DavitError {
  return new DavitError(
    'forbidden',
    'Your permissions changed while the request was in progress. Send the request again.',
  );
}

/**
 * Checks whether a request is still allowed for its caller and its object. A request checks this before its first
 * change, and an event stream before each event.
 *
 * The check runs again after each commit in the database, because a commit can change rights. It can also be forced,
 * because API keys and sessions expire without a commit.
 */
export class Rights {
  readonly #parts: AuthenticationParts;
  readonly #exchange: Exchange;
  /** Commit number of the database at the last successful check. */
  #foundAt = -1;

  constructor(parts: AuthenticationParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  /**
   * Returns whether the caller still has exactly the same rights. More rights are not accepted either, because the
   * rights at the start of a stream determine its contents.
   */
  hold(): boolean {
    const { store, log } = this.#parts;
    if (this.#foundAt === store.commits) return true;
    try {
      if (!isSame(this.demand(), this.#exchange.signedIn.actor)) return false;
    } catch (error) {
      if (error instanceof DavitError) return false;
      // An internal error must not end the stream. The next event repeats the check.
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
   * Checks the credential, the object and the rights of the caller again.
   * @returns the caller with current rights, which are at least those of the start
   * @throws DavitError unauthorized if the credential is no longer valid
   * @throws DavitError not_found if the object no longer exists
   * @throws DavitError forbidden if the caller has lost rights
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

/** Rights of a caller in a form that can be stored and compared later. */
export interface HeldRights {
  userId: number | null;
  role: Role;
  /** IDs of projects, or `null` for all projects. */
  projects: readonly number[] | null;
  isNarrowed: boolean;
}

/** Returns the rights of a caller in a form that can be stored. */
export function storableRights(actor: Actor): HeldRights {
  const { userId, role, projects } = actor;
  return { userId, role, projects, isNarrowed: isNarrowed(actor) };
}

/** Returns whether a caller still has all rights of an earlier request. Additional rights are accepted. */
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

/** Returns whether `now` contains all projects of `before`. `null` means all projects. */
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
 * Returns whether the caller uses a restricted API key or a connected program. Such a caller may not change API keys,
 * sessions and password of the owner.
 */
function isNarrowed({ credential }: Actor): boolean {
  return credential !== undefined && isRestricted(credential);
}

/**
 * Returns the ID of the object that a request accesses. An object that was deleted and created again with the same
 * name has another ID.
 */
function identity(target: unknown): number | undefined {
  const { id, deployment } = (target ?? {}) as { id?: number; deployment?: { id: number } };
  return deployment?.id ?? id;
}
