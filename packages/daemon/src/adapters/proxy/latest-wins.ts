/**
 * Runs a function with the newest input, one run at a time. All inputs that arrive during a run share the result of the
 * next run.
 */

/**
 * Result of work that stopped early because a newer input waits. The work runs again, and its callers get the new
 * result.
 */
export const SUPERSEDED = Symbol('superseded');

export type LatestWork<Input, Output> = (
  input: Input,
  /**
   * Returns `true` if `run` was called with a newer input that is now waiting. The current work can then stop early.
   */
  superseded: () => boolean,
) => Promise<Output | typeof SUPERSEDED>;

interface Pass<Input, Output> {
  input: Input;
  callers: PromiseWithResolvers<Output>[];
}

export class LatestWins<Input, Output> {
  readonly #work: LatestWork<Input, Output>;
  #next: Pass<Input, Output> | null = null;
  #running = false;
  #done: Promise<void> = Promise.resolve();

  constructor(work: LatestWork<Input, Output>) {
    this.#work = work;
  }

  /**
   * Runs the work with this input and returns its result. A newer input that arrives before the start replaces this
   * input.
   */
  run(input: Input): Promise<Output> {
    const caller = Promise.withResolvers<Output>();
    this.#next = { input, callers: [...(this.#next?.callers ?? []), caller] };
    if (!this.#running) this.#done = this.#loop();
    return caller.promise;
  }

  /** Resolves when the current work and all waiting work have ended. */
  async idle(): Promise<void> {
    await this.#done;
  }

  async #loop(): Promise<void> {
    this.#running = true;
    for (let pass = this.#next; pass !== null; pass = this.#next) {
      this.#next = null;
      await this.#one(pass);
    }
    this.#running = false;
  }

  async #one({ input, callers }: Pass<Input, Output>): Promise<void> {
    try {
      const output = await this.#work(input, () => this.#next !== null);
      if (output !== SUPERSEDED) for (const caller of callers) caller.resolve(output);
      else this.#next = { input, ...this.#next, callers: [...callers, ...(this.#next?.callers ?? [])] };
    } catch (error) {
      for (const caller of callers) caller.reject(error);
    }
  }
}
