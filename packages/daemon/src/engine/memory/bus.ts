import type { EngineEvent } from '../engine.ts';

/** Hands every event to every watcher, each of which reads at its own pace. */
export class EventBus {
  readonly #queues = new Set<Queue>();
  readonly #waiters = new Set<() => void>();

  emit(event: EngineEvent): void {
    for (const queue of this.#queues) queue.push(event);
    this.wake();
  }

  /** Wakes who waits for anything to change, without an event. */
  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Resolves at the next event or wake. */
  next(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const done = () => {
      this.#waiters.delete(done);
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = () => {
      this.#waiters.delete(done);
      reject(signal.reason);
    };
    if (signal.aborted) reject(signal.reason);
    else {
      signal.addEventListener('abort', onAbort, { once: true });
      this.#waiters.add(done);
    }
    return promise;
  }

  /** Listens from the call on, not from the first read: what happens in between is not missed. */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent> {
    const queue = new Queue(signal);
    this.#queues.add(queue);
    signal.addEventListener('abort', () => this.#queues.delete(queue), { once: true });
    return queue;
  }
}

class Queue implements AsyncIterable<EngineEvent> {
  readonly #events: EngineEvent[] = [];
  readonly #signal: AbortSignal;
  #wake: () => void = () => undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  push(event: EngineEvent): void {
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
