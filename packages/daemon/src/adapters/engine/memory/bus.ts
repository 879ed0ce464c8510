import type { EngineEvent } from '../engine.ts';
import { EventQueue } from '../event-queue.ts';

/**
 * Sends each container event to all watchers. Each watcher has its own queue, so a slow watcher does not block other
 * watchers.
 */
export class EventBus {
  readonly #queues = new Set<EventQueue>();
  readonly #waiters = new Set<() => void>();

  emit(event: EngineEvent): void {
    for (const queue of this.#queues) queue.push(event);
    this.wake();
  }

  /** Resolves the promises of all waiting `next` calls, even if there was no container event. */
  wake(): void {
    const waiters = [...this.#waiters];
    this.#waiters.clear();
    for (const wake of waiters) wake();
  }

  /** Resolves at the next container event or at the next `wake` call. */
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

  /** Returns all container events after this call. Events are queued until the first read, so no event is lost. */
  watch(signal: AbortSignal): AsyncIterable<EngineEvent> {
    const queue = new EventQueue(signal);
    this.#queues.add(queue);
    signal.addEventListener('abort', () => this.#queues.delete(queue), { once: true });
    return queue;
  }
}
