/**
 * One worker for a stream of whole states. Every state replaces the one before, so those that arrive while one is being
 * made true are not queued: the newest is taken and answers everybody who waits.
 */

/** Returned by the work when it stopped early because something newer is waiting; its callers join the next pass. */
export const SUPERSEDED = Symbol('superseded');

export type LatestWork<Input, Output> = (
  input: Input,
  /** True as soon as a newer input waits: a good moment to stop waiting for something. */
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

  /** Resolves (or rejects) with the first pass that began after this call; it used this input or a newer one. */
  run(input: Input): Promise<Output> {
    const caller = Promise.withResolvers<Output>();
    this.#next = { input, callers: [...(this.#next?.callers ?? []), caller] };
    if (!this.#running) this.#done = this.#loop();
    return caller.promise;
  }

  /** Resolves when no pass is at work. */
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
