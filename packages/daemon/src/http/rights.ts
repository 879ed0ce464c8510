import { DavitError, narrower, type Role } from '@davit/api';
import type { AuthenticationParts } from '../auth/actor.ts';
import { type Actor, isRestricted } from '../auth/context.ts';
import { lookUp } from '../authorization/lookup.ts';
import type { Exchange } from './exchange.ts';

/**
 * Returns the error that replaces the response.
 * @param code `unauthorized` only if the credential ended, because clients then sign out
 */
export function rightsEnded(code: 'unauthorized' | 'forbidden' = 'unauthorized'): DavitError {
  return new DavitError(
    code,
    'Your rights ended while the request waited, and the work that it started continues. Sign in again to see the result.',
  );
}

function rightsChanged(): DavitError {
  return new DavitError('forbidden', 'Your rights changed while the request was in progress. Send the request again.');
}

/**
 * Checks whether a request would still be allowed for its caller and its target. A stream checks this as long as it
 * lasts, and a request checks this before its first change. After each commit the check runs again, so that no data is
 * sent that was committed after the rights had ended. The check also runs again on demand, because keys and sessions
 * expire without a commit.
 */
export class Rights {
  readonly #parts: AuthenticationParts;
  readonly #exchange: Exchange;
  /** Number of the commit at which the rights were last confirmed. */
  #foundAt = -1;

  constructor(parts: AuthenticationParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  /** Returns whether exactly the same rights apply. The rights at the beginning of a stream selected its contents. */
  hold(): boolean {
    const { store, log } = this.#parts;
    if (this.#foundAt === store.commits) return true;
    try {
      if (!isSame(this.demand(), this.#exchange.signedIn.actor)) return false;
    } catch (error) {
      if (error instanceof DavitError) return false;
      // An internal error must not end the stream. The next event checks again.
      log.warn({ requestId: this.#exchange.requestId, error }, 'rights of a stream could not be checked');
      return true;
    }
    this.#foundAt = store.commits;
    return true;
  }

  doubt(): void {
    this.#foundAt = -1;
  }

  /**
   * Checks credential, target and rights again.
   * @returns the caller with current rights, which are the rights of the beginning or more
   * @throws DavitError unauthorized if the credential is not valid any more; not_found if the target does not exist any
   * more; forbidden
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

/** Rights of a request, for a later comparison. */
export interface HeldRights {
  userId: number | null;
  role: Role;
  /** Ids of projects, or `null` for all projects. */
  projects: readonly number[] | null;
  isNarrowed: boolean;
}

/** Returns the rights of an actor in a form that can be stored. */
export function storableRights(actor: Actor): HeldRights {
  const { userId, role, projects } = actor;
  return { userId, role, projects, isNarrowed: isNarrowed(actor) };
}

/** Returns whether an actor has all rights of an earlier request. Additional rights end no request. */
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

/** Returns whether `now` contains all projects of `before`. @param now ids of projects, or `null` for all projects */
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
 * Returns whether the credential has fewer rights than its owner. Such a credential may not change the owner's keys,
 * sessions and password.
 */
function isNarrowed({ credential }: Actor): boolean {
  return credential !== undefined && isRestricted(credential);
}

/** Returns the id of a request's target. A new object with the same name is another target. */
function identity(target: unknown): number | undefined {
  const { id, deployment } = (target ?? {}) as { id?: number; deployment?: { id: number } };
  return deployment?.id ?? id;
}
