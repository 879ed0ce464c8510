import type { EngineEvent } from './engine.ts';

/** Beyond this a reader has fallen behind: one `resync` says as much as thousands of changes. */
const MAX_QUEUED = 2000;

/** Events for one reader, who reads at his own pace; the iteration ends when the signal aborts. */
export class EventQueue implements AsyncIterable<EngineEvent> {
  #events: EngineEvent[] = [];
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  push(event: EngineEvent): void {
    if (this.#signal.aborted) return;
    if (this.#events.length >= MAX_QUEUED) this.#events = [{ kind: 'resync' }];
    this.#events.push(event);
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<EngineEvent> {
    while (!this.#signal.aborted) {
      const event = this.#events.shift();
      if (event !== undefined) yield event;
      else {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      }
    }
  }
}
