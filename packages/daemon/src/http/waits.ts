import type { ServerResponse } from 'node:http';
import { Interrupted } from '../workflow/interrupted.ts';
import { ClientGone } from './request/body.ts';

/** The requests that wait for something to happen, so that a stop can let them go last instead of waiting for them. */
export class Waits {
  readonly #waiting = new Map<ServerResponse, AbortController>();
  readonly #stop = new AbortController();

  has(outgoing: ServerResponse): boolean {
    return this.#waiting.has(outgoing);
  }

  /** Aborts when the client leaves or the instance stops; asking for it makes the request one that waits. */
  signal(outgoing: ServerResponse): AbortSignal {
    const known = this.#waiting.get(outgoing);
    if (known) return known.signal;
    const controller = new AbortController();
    if (outgoing.closed) {
      // It will not be closed again, so that nothing would forget it.
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

  /** Aborts when the instance stops, and goes on when the client has left. */
  outliving(outgoing: ServerResponse): AbortSignal {
    this.signal(outgoing);
    return this.#stop.signal;
  }

  /** Ends one wait, for a reason of its own. */
  end(outgoing: ServerResponse, reason: Error): void {
    this.#waiting.get(outgoing)?.abort(reason);
  }

  /** Ends every wait: what was waited for goes on, or is taken up by the next start. */
  cut(): void {
    const reason = new Interrupted();
    this.#stop.abort(reason);
    for (const controller of this.#waiting.values()) controller.abort(reason);
  }
}
