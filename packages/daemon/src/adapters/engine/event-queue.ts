import { BoundedQueue } from '../../streams/bounded-queue.ts';
import type { EngineEvent } from './engine.ts';

/**
 * Maximum number of queued container events. If the queue is full, one `resync` event replaces all queued events. The
 * reader must then query all containers again.
 */
const MAX_QUEUED = 2000;

/** Queue of container events for one reader. The iteration ends when the signal aborts. */
export class EventQueue implements AsyncIterable<EngineEvent> {
  readonly #waiting = new BoundedQueue<EngineEvent>({ limit: MAX_QUEUED });

  constructor(signal: AbortSignal) {
    if (signal.aborted) this.#waiting.close();
    else signal.addEventListener('abort', () => this.#waiting.close(), { once: true });
  }

  push(event: EngineEvent): void {
    if (this.#waiting.isFull) {
      this.#waiting.clear();
      void this.#waiting.push({ kind: 'resync' });
    }
    void this.#waiting.push(event);
  }

  [Symbol.asyncIterator](): AsyncIterator<EngineEvent> {
    return this.#waiting[Symbol.asyncIterator]();
  }
}
