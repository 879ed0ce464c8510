import type { ServerResponse } from 'node:http';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';

/**
 * Stores which requests are waiting for an event. A stopping daemon ends these requests, because they would delay the
 * stop.
 */
export class Waits {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #stop = new AbortController();

  has(outgoing: ServerResponse): boolean {
    return this.#waiting.has(outgoing);
  }

  /**
   * Returns a signal that aborts when the client disconnects or the daemon stops. From the first call on, `has` returns
   * `true` for this request.
   */
  signal(outgoing: ServerResponse): AbortSignal {
    const known = this.#waiting.get(outgoing);
    if (known) return known.signal;
    const controller = new AbortController();
    if (outgoing.closed) {
      // Does not add a closed connection to `#waiting`, because no later `close` event would remove it.
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
   * Returns a signal that aborts only when the daemon stops. Work with this signal continues if the client
   * disconnects.
   */
  outliving(outgoing: ServerResponse): AbortSignal {
    this.signal(outgoing);
    return this.#stop.signal;
  }

  /** Aborts the signal of the given request if this request is waiting. */
  end(outgoing: ServerResponse, reason: Error): void {
    this.#waiting.get(outgoing)?.abort(reason);
  }

  /**
   * Aborts the signals of all waiting requests when the daemon stops. Work that ignores its signal continues, or the
   * daemon resumes the work at its next start.
   */
  cut(): void {
    const reason = new Interrupted();
    this.#stop.abort(reason);
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}
