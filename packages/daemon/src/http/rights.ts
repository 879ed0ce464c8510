import { DavitError, narrower, type Role } from '@davit/api';
import type { AuthenticationParts } from '../auth/actor.ts';
import { type Actor, isRestricted } from '../auth/context.ts';
import { lookUp } from '../authorization/lookup.ts';
import type { Exchange } from './exchange.ts';

/** Error that replaces the answer. @param code `unauthorized` only if the credential ended: clients sign out then */
export function rightsEnded(code: 'unauthorized' | 'forbidden' = 'unauthorized'): DavitError {
  return new DavitError(code, 'Your rights have ended. The work that this request waited for continues.');
}

function rightsChanged(): DavitError {
  return new DavitError('forbidden', 'Your rights changed while the request was in progress: send it again.');
}

/**
 * Whether a request that was let in once would be let in again, as the same, for the same thing: what a live answer asks
 * as long as it lasts, and what the first change of a request demands. It is found out anew after each commit, so that
 * nothing is sent that was committed after the rights to it had ended, and whenever it is doubted: keys and sessions also
 * end by the clock.
 */
export class Rights {
  readonly #parts: AuthenticationParts;
  readonly #exchange: Exchange;
  /** As of which commit they were found to hold. */
  #foundAt = -1;

  constructor(parts: AuthenticationParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  /** Whether exactly the same rights hold: what a stream shows was chosen by those that its reader had at its beginning. */
  hold(): boolean {
    const { store, log } = this.#parts;
    if (this.#foundAt === store.commits) return true;
    try {
      if (!isSame(this.demand(), this.#exchange.signedIn.actor)) return false;
    } catch (error) {
      if (error instanceof DavitError) return false;
      // A trouble of ours is no reason to send anybody away; it is asked again at once.
      log.warn({ requestId: this.#exchange.requestId, error }, 'could not look at the rights of a stream');
      return true;
    }
    this.#foundAt = store.commits;
    return true;
  }

  doubt(): void {
    this.#foundAt = -1;
  }

  /**
   * Looks everything up anew.
   * @returns who asks, with the rights that hold now: those of the beginning, or more
   * @throws DavitError unauthorized if the credential is not valid anymore; not_found if the target is gone; forbidden
   */
  demand(): Actor {
    const { endpoint, params, signedIn, target } = this.#exchange;
    const { actor } = this.#exchange.whoAsks({ ...this.#parts, isLook: true });
    if (endpoint?.needs) {
      const { permission, scope } = endpoint.needs;
      const found = lookUp(this.#parts.store, actor, permission, scope, params);
      if (identity(found) !== identity(target)) throw new DavitError('not_found');
    }
    if (!includes(actor, signedIn.actor)) throw rightsChanged();
    return actor;
  }
}

/** Whether an actor may do everything that another one may: rights that grew end no request. */
function includes(now: Actor, before: Actor): boolean {
  return (
    now.userId === before.userId &&
    includesRole(now.role, before.role) &&
    seesAll(now.projects, before.projects) &&
    (isNarrowed(before) || !isNarrowed(now))
  );
}

function includesRole(now: Role, before: Role): boolean {
  return narrower(now, before) === before;
}

/** @param now ids; null: all */
function seesAll(now: Actor['projects'], before: Actor['projects']): boolean {
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

/** Whether the credential does less than its owner: it may not change the owner's own keys, sessions and password. */
function isNarrowed({ credential }: Actor): boolean {
  return credential !== undefined && isRestricted(credential);
}

/** The number of what a request acts on: another thing under the same name is another one. */
function identity(target: unknown): number | undefined {
  const { id, deployment } = (target ?? {}) as { id?: number; deployment?: { id: number } };
  return deployment?.id ?? id;
}
