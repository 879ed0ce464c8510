/**
 * Worker for a stream of complete states. Each state replaces the previous state. States that arrive during a pass are
 * therefore not queued. The next pass takes the newest state, and its result answers all waiting callers.
 */

/** Result of work that stopped early because a newer input is waiting. The callers of this work join the next pass. */
export const SUPERSEDED = Symbol('superseded');

export type LatestWork<Input, Output> = (
  input: Input,
  /** Returns true as soon as a newer input is waiting, so that the work can stop waiting. */
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

  /** Resolves or rejects with the first pass that began after this call. The pass used this input or a newer input. */
  run(input: Input): Promise<Output> {
    const caller = Promise.withResolvers<Output>();
    this.#next = { input, callers: [...(this.#next?.callers ?? []), caller] };
    if (!this.#running) this.#done = this.#loop();
    return caller.promise;
  }

  /** Resolves when no pass is running. */
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
