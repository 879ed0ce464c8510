import type { ServerResponse } from 'node:http';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';

/**
 * Stores the requests that are waiting for an event. When the daemon stops, it ends these requests, because they would
 * delay the stop.
 */
export class Waits {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #stop = new AbortController();

  has(outgoing: ServerResponse): boolean {
    return this.#waiting.has(outgoing);
  }

  /**
   * Returns an abort signal that aborts when the client disconnects or the daemon stops. After this call, `has` returns
   * `true` for the request.
   */
  signal(outgoing: ServerResponse): AbortSignal {
    const known = this.#waiting.get(outgoing);
    if (known) return known.signal;
    const controller = new AbortController();
    if (outgoing.closed) {
      /*
       * A closed connection is not added to `#waiting`. Its `close` event has already occurred, so nothing would remove
       * the connection from `#waiting`.
       */
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

  /**
   * Returns an abort signal that aborts only when the daemon stops. The request then continues after the client
   * disconnects.
   */
  outliving(outgoing: ServerResponse): AbortSignal {
    this.signal(outgoing);
    return this.#stop.signal;
  }

  /** Aborts a request that waits, for example for an event. Does nothing if the request is not waiting. */
  end(outgoing: ServerResponse, reason: Error): void {
    this.#waiting.get(outgoing)?.abort(reason);
  }

  /**
   * Aborts all waiting requests when the daemon stops. After its next start, the daemon continues the aborted
   * operations.
   */
  cut(): void {
    const reason = new Interrupted();
    this.#stop.abort(reason);
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}
