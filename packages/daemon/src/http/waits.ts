import type { ServerResponse } from 'node:http';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';

/**
 * Keeps track of requests that wait for an event. When the instance stops, these requests are ended, so that they do
 * not delay the stop.
 */
export class Waits {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #stop = new AbortController();

  has(outgoing: ServerResponse): boolean {
    return this.#waiting.has(outgoing);
  }

  /**
   * Returns a signal that aborts when the client disconnects or the instance stops. From the first call on, the
   * request counts as waiting.
   */
  signal(outgoing: ServerResponse): AbortSignal {
    const known = this.#waiting.get(outgoing);
    if (known) return known.signal;
    const controller = new AbortController();
    if (outgoing.closed) {
      // The connection is already closed, so no `close` event would ever remove a map entry.
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

  /** Returns a signal that aborts only when the instance stops. The work continues if the client disconnects. */
  outliving(outgoing: ServerResponse): AbortSignal {
    this.signal(outgoing);
    return this.#stop.signal;
  }

  /** Aborts the signal of one waiting request. */
  end(outgoing: ServerResponse, reason: Error): void {
    this.#waiting.get(outgoing)?.abort(reason);
  }

  /** Ends the waits of all requests. Their work continues, or the next start of the daemon resumes it. */
  cut(): void {
    const reason = new Interrupted();
    this.#stop.abort(reason);
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}
