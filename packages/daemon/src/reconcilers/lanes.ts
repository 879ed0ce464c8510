import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of objects that a pass waits for at the same time. */
const AT_ONCE = 4;
/** Maximum time in milliseconds that a pass waits for one object. */
const WAIT_MS = 1_000;

/**
 * Runs the work of a reconciler on many objects. An app can make the work on its own object slow. Therefore no object waits long
 * for another one: a pass waits a short time for the work on an object, and later passes skip the object until the work has
 * ended. So the slow objects of one tenant cannot occupy all lanes.
 */
export class Lanes {
  /** Work in progress, by the id of its object. */
  readonly #working = new Map<number, Promise<void>>();

  /** Returns whether the work on an object is in progress. */
  isBusy(id: number): boolean {
    return this.#working.has(id);
  }

  /**
   * Starts the work on each object without work in progress, in this order.
   * @returns when the work has ended, except for slow work
   * @throws the first error of the work, after which no further work starts; an error of slow work is ignored
   * @throws the signal's reason
   */
  async run(ids: readonly number[], work: (id: number) => Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = ids.values().filter((id) => !this.isBusy(id));
    const lane = async () => {
      // All lanes share the iterator. An error in one lane closes the iterator, which ends the other lanes.
      for (const id of waiting) {
        signal.throwIfAborted();
        await briefly(this.#begin(id, work));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  /** Resolves when no work is in progress. */
  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working.values());
  }

  #begin(id: number, work: (id: number) => Promise<void>): Promise<void> {
    const working = work(id).finally(() => this.#working.delete(id));
    this.#working.set(id, working);
    return working;
  }
}

/** Waits for work, but not longer than {@link WAIT_MS}. @throws the error of the work */
async function briefly(work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([work, sleep(WAIT_MS, undefined, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}
