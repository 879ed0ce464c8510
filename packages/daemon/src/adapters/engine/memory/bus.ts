import type { EngineEvent } from '../engine.ts';
import { EventQueue } from '../event-queue.ts';

/** Hands every event to every watcher, each of which reads at its own pace. */
export class EventBus {
  readonly #queues = new Set<EventQueue>();
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
    const queue = new EventQueue(signal);
    this.#queues.add(queue);
    signal.addEventListener('abort', () => this.#queues.delete(queue), { once: true });
    return queue;
  }
}
