/** Who sent a message, and what is done in his name while it is answered. */
import { DavitError } from '@davit/api';
import type { Logger } from '@davit/service';
import type { Core } from '../core/core.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Answer, Ask, Question } from '../http/inner.ts';
import { Rights } from '../http/rights.ts';
import type { Waits } from '../http/waits.ts';

/** How often it is looked whether the rights still hold, while something is waited for. */
const LOOK_MS = 2_000;

export interface CallerParts {
  core: Core;
  log: Logger;
  ask: Ask;
  waits: Waits;
}

export class Caller {
  readonly #parts: CallerParts;
  readonly #exchange: Exchange;

  constructor(parts: CallerParts, exchange: Exchange) {
    this.#parts = parts;
    this.#exchange = exchange;
  }

  get core(): Core {
    return this.#parts.core;
  }

  get log(): Logger {
    return this.#parts.log.child({ requestId: this.#exchange.requestId });
  }

  get actor() {
    return this.#exchange.signedIn.actor;
  }

  ask(question: Question): Promise<Answer> {
    return this.#parts.ask(this.#exchange, question);
  }

  /**
   * Does something that may take long: it is ended when its caller leaves, when the instance stops, and soon after the
   * caller's rights have ended.
   * @throws DavitError unauthorized in the last case
   */
  async watched<T>(work: (signal: () => AbortSignal) => Promise<T>): Promise<T> {
    const { core, log, waits } = this.#parts;
    const { outgoing } = this.#exchange;
    const rights = new Rights({ store: core.store, now: core.now, log }, this.#exchange);
    const ended = new AbortController();
    const timer = core.store.trail.apart(() =>
      setInterval(() => {
        rights.doubt();
        if (rights.hold()) return;
        const reason = new DavitError(
          'unauthorized',
          'Your rights have ended: what you waited for goes on without you.',
        );
        ended.abort(reason);
        waits.end(outgoing, reason);
      }, LOOK_MS),
    );
    try {
      // Asking for it makes the request one that waits, which a stop does not wait for.
      const result = await work(() => AbortSignal.any([ended.signal, waits.signal(outgoing)]));
      ended.signal.throwIfAborted();
      return result;
    } finally {
      clearInterval(timer);
    }
  }
}
