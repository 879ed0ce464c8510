/**
 * Runs a function with the newest input, one run at a time. All inputs that arrive during a run share the result of the
 * next run.
 */

/**
 * Result of a run that stopped early because a newer input is waiting. The function runs again, and its callers get the
 * result of the new run.
 */
export const SUPERSEDED = Symbol('superseded');

export type LatestWork<Input, Output> = (
  input: Input,
  /** Returns `true` if a newer input is waiting. The current run can then stop early. */
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
   * Runs the function with this input and returns the result. If a newer input arrives before the run starts, the newer
   * input replaces this input.
   */
  run(input: Input): Promise<Output> {
    const caller = Promise.withResolvers<Output>();
    this.#next = { input, callers: [...(this.#next?.callers ?? []), caller] };
    if (!this.#running) this.#done = this.#loop();
    return caller.promise;
  }

  /** Resolves when the current run and all waiting runs have ended. */
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
