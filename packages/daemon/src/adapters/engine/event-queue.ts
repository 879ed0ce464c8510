import { BoundedQueue } from '../../streams/bounded-queue.ts';
import type { EngineEvent } from './engine.ts';

/** Beyond this a reader has fallen behind: one `resync` says as much as thousands of changes. */
const MAX_QUEUED = 2000;

/** Events for one reader, who reads at his own pace; the iteration ends when the signal aborts. */
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
