import type { ServerResponse } from 'node:http';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';

/**
 * Requests that wait for an event. When the instance stops, these requests are ended last instead of delaying the stop.
 */
export class Waits {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #stop = new AbortController();

  has(outgoing: ServerResponse): boolean {
    return this.#waiting.has(outgoing);
  }

  /**
   * Returns a signal that aborts when the client disconnects or the instance stops. The request counts as waiting from
   * the first call.
   */
  signal(outgoing: ServerResponse): AbortSignal {
    const known = this.#waiting.get(outgoing);
    if (known) return known.signal;
    const controller = new AbortController();
    if (outgoing.closed) {
      // No further `close` event follows, so an entry would never be removed.
      controller.abort(new ClientGone());
      return controller.signal;
    }
    this.#waiting.set(outgoing, controller);
    outgoing.once('close', () => {
      this.#waiting.delete(outgoing);
      if (!outgoing.writableFinished) controller.abort(new ClientGone());
    });
    if (outgoing.destroyed) controller.abort(new ClientGone());
    return controller.signal;
  }

  /** Returns a signal that aborts only when the instance stops, even if the client has disconnected. */
  outliving(outgoing: ServerResponse): AbortSignal {
    this.signal(outgoing);
    return this.#stop.signal;
  }

  /** Ends one wait with a reason. */
  end(outgoing: ServerResponse, reason: Error): void {
    this.#waiting.get(outgoing)?.abort(reason);
  }

  /** Ends all waits. Unfinished work continues, or the next start resumes it. */
  cut(): void {
    const reason = new Interrupted();
    this.#stop.abort(reason);
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}
