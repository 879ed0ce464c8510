import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of objects, such as databases, that one run of a reconciler processes at the same time. */
const AT_ONCE = 4;
/** Maximum time in milliseconds for which a run of a reconciler waits for one object, such as a database. */
const WAIT_MS = 1_000;

/**
 * Processes many objects for a reconciler, a few at a time. A run waits only a short time for each object, so that a
 * slow object does not delay others.
 */
export class Lanes {
  /**
   * Map from the id of an object (for example a database) to a promise. The promise resolves at the end of the object's
   * processing.
   */
  readonly #working = new Map<number, Promise<void>>();

  isBusy(id: number): boolean {
    return this.#working.has(id);
  }

  /**
   * Processes objects in order. Skips objects that an earlier run is still processing. The processing of slow objects
   * continues in the background.
   * @throws the first error, or the abort reason
   */
  async run(ids: readonly number[], work: (id: number) => Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = ids.values().filter((id) => !this.isBusy(id));
    const lane = async () => {
      // All parallel loops share one iterator. An error in one loop closes the iterator, so that the other loops stop.
      for (const id of waiting) {
        signal.throwIfAborted();
        /*
         * Wait at most `WAIT_MS` for each object. The processing of a slow object continues in the background, and its
         * errors are ignored.
         */
        await briefly(this.#begin(id, work));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, lane));
  }

  async settled(): Promise<void> {
    while (this.#working.size > 0) await Promise.allSettled(this.#working.values());
  }

  #begin(id: number, work: (id: number) => Promise<void>): Promise<void> {
    const working = work(id).finally(() => this.#working.delete(id));
    this.#working.set(id, working);
    return working;
  }
}

/**
 * Waits until a promise resolves, but at most `WAIT_MS`.
 * @throws the error of the promise
 */
async function briefly(work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([work, sleep(WAIT_MS, undefined, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}
