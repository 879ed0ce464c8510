/**
 * Runs functions while the registry is read-only, so that no push can interfere. Pulls still work, except for the short
 * time in which a new registry container replaces the old container.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../engine/docker/context.ts';
import { RegistryUnavailable } from '../registry.ts';

export interface ReadOnlyOptions {
  /**
   * Makes the registry accept or reject pushes. Resolves when the change is active and all earlier requests have ended.
   */
  replace: (to: { readOnly: boolean }) => Promise<unknown>;
  /** Resolves when all running pushes have ended, or after a time limit. */
  quiet: () => Promise<void>;
  /**
   * Waits for the given number of milliseconds. By default, the wait uses a timer that does not keep the daemon process
   * running.
   */
  rest?: (ms: number) => Promise<unknown>;
  log: Log;
}

/**
 * After a read-only period, the registry accepts pushes for at least three times as long. Otherwise, a user who deletes
 * many releases could block the pushes to all projects.
 */
const OPEN_FACTOR = 3;

/** Function that resolves or rejects the promise of a `run` call. */
type Settle = () => void;

interface Waiting {
  /**
   * Runs the function that a caller passed to `run`, and never rejects. The returned function passes the result to the
   * caller when the registry accepts pushes again.
   */
  work: () => Promise<Settle>;
  refuse: (error: unknown) => void;
}

export class ReadOnlyWindow {
  readonly #options: ReadOnlyOptions;
  readonly #waiting: Waiting[] = [];
  #isServing = false;
  #isClosed = false;

  constructor(options: ReadOnlyOptions) {
    this.#options = options;
  }

  /** `true` if the registry rejects new pushes, or will reject them when the running pushes have ended. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Runs a function while the registry rejects pushes. Resolves when the registry accepts pushes again.
   * @throws the error of the function, or RegistryUnavailable if the function did not run
   */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    this.#waiting.push({
      work: () =>
        Promise.try(work).then(
          (value) => () => resolve(value),
          (error: unknown) => () => reject(error),
        ),
      refuse: reject,
    });
    if (!this.#isServing) void this.#serve();
    return promise;
  }

  /**
   * Makes the registry read-only and runs all queued functions. Repeats this while there are queued functions. Never
   * rejects.
   */
  async #serve(): Promise<void> {
    const { rest = (ms: number) => delay(ms, undefined, { ref: false }) } = this.#options;
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      const began = performance.now();
      this.#isClosed = true;
      const done = await this.#window();
      this.#isClosed = false;
      for (const settle of done) settle();
      await rest(OPEN_FACTOR * (performance.now() - began));
    }
    /*
     * There must be no `await` between the last check of the queue and this line. A function that is queued during an
     * `await` would never run.
     */
    this.#isServing = false;
  }

  async #window(): Promise<Settle[]> {
    const { replace, quiet, log } = this.#options;
    const done: Settle[] = [];
    let began = performance.now();
    try {
      await quiet();
      began = performance.now();
      await replace({ readOnly: true });
      // The loop also runs functions that are queued while the registry is already read-only.
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        done.push(await next.work());
    } catch (cause) {
      const message =
        'The registry could not switch to read-only mode, so no image was removed. GET /api/registry shows the reason.';
      const error = new RegistryUnavailable(message, { cause });
      done.push(
        ...this.#waiting.splice(0).map(
          ({ refuse }) =>
            () =>
              refuse(error),
        ),
      );
    }
    await replace({ readOnly: false }).catch((error: unknown) => {
      log.warn({ error }, 'the registry is still read-only and accepts no pushes; Davit tries again later');
    });
    log.info({ ms: Math.round(performance.now() - began) }, 'the registry rejected pushes during a removal of images');
    return done;
  }
}
