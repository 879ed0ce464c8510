/**
 * MCP client that sent a message. API requests have the client's permissions. If the client loses its permissions,
 * waiting tool calls are aborted.
 */
import type { Logger } from '@davit/service';
import type { Exchange } from '../http/exchange.ts';
import type { InnerAnswer, Question, SendInnerRequest } from '../http/inner.ts';
import { Rights, rightsEnded } from '../http/rights.ts';
import type { Waits } from '../http/waits.ts';
import type { McpDeps } from './deps.ts';
import type { ToolChoice } from './toolsets.ts';

/** Interval in milliseconds between checks of the client's permissions during a long tool call. */
const LOOK_MS = 2_000;

export interface CallerParts {
  core: McpDeps;
  log: Logger;
  ask: SendInnerRequest;
  waits: Waits;
}

export class McpCaller {
  readonly #parts: CallerParts;
  readonly #exchange: Exchange;
  /** Toolsets and options that the client chose in the URL query. */
  readonly choice: ToolChoice;

  constructor(parts: CallerParts, exchange: Exchange, choice: ToolChoice) {
    this.#parts = parts;
    this.#exchange = exchange;
    this.choice = choice;
  }

  get core(): McpDeps {
    return this.#parts.core;
  }

  get log(): Logger {
    return this.#parts.log.child({ requestId: this.#exchange.requestId });
  }

  get actor() {
    return this.#exchange.signedIn.actor;
  }

  ask(question: Question): Promise<InnerAnswer> {
    return this.#parts.ask(this.#exchange, question);
  }

  /**
   * Runs a long operation with an abort signal. If the client loses its permissions, the signal aborts within a short
   * time.
   * @throws DavitError unauthorized after such a loss
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
        const reason = rightsEnded();
        ended.abort(reason);
        waits.end(outgoing, reason);
      }, LOOK_MS),
    );
    try {
      /*
       * Create the abort signal only if the operation needs it. A stopping daemon does not wait for a request with this
       * signal.
       */
      const result = await work(() => AbortSignal.any([ended.signal, waits.signal(outgoing)]));
      ended.signal.throwIfAborted();
      return result;
    } finally {
      clearInterval(timer);
    }
  }
}
