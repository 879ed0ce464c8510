import { setTimeout as sleep } from 'node:timers/promises';

/** Maximum number of objects that a reconciler pass waits for at the same time. */
const AT_ONCE = 4;
/** Maximum time in milliseconds that a reconciler pass waits for the work on one object. */
const WAIT_MS = 1_000;

/**
 * Runs a reconciler's work on many objects, such as databases, a few at a time. The work on one object can be slow,
 * for example because a user's database does not respond. It must not delay other objects. A pass therefore waits only
 * briefly for each object. Later passes skip the object until its work has ended.
 */
export class Lanes {
  /** Work in progress, by the id of its object. */
  readonly #working = new Map<number, Promise<void>>();

  isBusy(id: number): boolean {
    return this.#working.has(id);
  }

  /**
   * Starts the work on each object in the given order, except objects whose earlier work is still in progress.
   * @returns when all work has ended, except slow work, which continues in the background
   * @throws the first error, after which no further work starts. Errors of slow work are ignored.
   * @throws the signal's reason
   */
  async run(ids: readonly number[], work: (id: number) => Promise<void>, signal: AbortSignal): Promise<void> {
    const waiting = ids.values().filter((id) => !this.isBusy(id));
    const lane = async () => {
      // All lanes share one iterator. An error in one lane closes the iterator, so that the other lanes stop too.
      for (const id of waiting) {
        signal.throwIfAborted();
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
 * Waits for work, but at most `WAIT_MS`.
 * @throws the error of the work
 */
async function briefly(work: Promise<void>): Promise<void> {
  const ended = new AbortController();
  try {
    await Promise.race([work, sleep(WAIT_MS, undefined, { signal: ended.signal })]);
  } finally {
    ended.abort();
  }
}
