import { DavitError } from '@davit/api';
import type { AuthenticationParts } from '../auth/actor.ts';
import type { Actor } from '../context.ts';
import { lookUp } from '../core/lookup.ts';
import type { Exchange } from './exchange.ts';

/**
 * Whether a request that was let in once would be let in again, as the same, for the same thing: what a live answer asks
 * as long as it lasts. It is found out anew after each commit, so that nothing is sent that was committed after the
 * rights to it had ended, and whenever it is doubted: keys and sessions also end by the clock.
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

  hold(): boolean {
    const { store, log } = this.#parts;
    if (this.#foundAt === store.commits) return true;
    try {
      if (!this.#areHeld()) return false;
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

  #areHeld(): boolean {
    const { endpoint, params, signedIn, target } = this.#exchange;
    const { actor } = this.#exchange.whoAsks({ ...this.#parts, isLook: true });
    if (!isSame(actor, signedIn.actor)) return false;
    if (!endpoint?.needs) return true;
    const { permission, scope } = endpoint.needs;
    return identity(lookUp(this.#parts.store, actor, permission, scope, params)) === identity(target);
  }
}

/** Other rights are an end too: what was chosen for the reader was chosen by those that it had. */
function isSame(a: Actor, b: Actor): boolean {
  return a.userId === b.userId && a.role === b.role && a.projects?.join() === b.projects?.join();
}

/** The number of what a request acts on: another thing under the same name is another one. */
function identity(target: unknown): number | undefined {
  const { id, deployment } = (target ?? {}) as { id?: number; deployment?: { id: number } };
  return deployment?.id ?? id;
}
