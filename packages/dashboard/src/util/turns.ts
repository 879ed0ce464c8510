/** Splits work into several tasks of the browser, so that the page can react to user input between these tasks. */

/** Maximum time in milliseconds that work waits until the browser is idle. */
const LONGEST_WAIT_MS = 500;

function whenIdle(next: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(next, { timeout: LONGEST_WAIT_MS });
  else setTimeout(next);
}

/** Queue of work. Each piece of work runs in its own task, in the order in which it was added. */
export class Turns {
  readonly #waiting = new Set<() => void>();
  readonly #schedule: (next: () => void) => void;
  #isScheduled = false;

  /** @param schedule function that calls its argument later, in another task of the browser */
  constructor(schedule: (next: () => void) => void = whenIdle) {
    this.#schedule = schedule;
  }

  /**
   * Adds work to the queue.
   * @returns a function that removes the work from the queue, if the work has not run yet
   */
  wait(work: () => void): () => void {
    // Wrap `work` in a new function. If the same function is added twice, the set would contain it only once.
    const turn = () => work();
    this.#waiting.add(turn);
    this.#continue();
    return () => void this.#waiting.delete(turn);
  }

  #continue(): void {
    if (this.#isScheduled || this.#waiting.size === 0) return;
    this.#isScheduled = true;
    this.#schedule(() => {
      this.#isScheduled = false;
      const [turn] = this.#waiting;
      if (turn === undefined) return;
      this.#waiting.delete(turn);
      // First schedule the next work. Otherwise, an error of the current work would stop the queue.
      this.#continue();
      turn();
    });
  }
}
