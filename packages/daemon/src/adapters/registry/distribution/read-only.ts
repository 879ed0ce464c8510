/**
 * The times in which the registry takes no pushes: the registry is another container then, with another configuration,
 * so that no push can be in the middle of what is being removed. Pulls go on, but for the moment in which one container
 * follows the other. What is asked for while a window is open is done in the same one.
 *
 * Nothing of this is on record: whatever ends the daemon in a window, the next one makes the registry run as usual.
 */

import type { Log } from '../../engine/docker/context.ts';
import { RegistryUnavailable } from '../registry.ts';

export interface ReadOnlyOptions {
  /** Makes the registry take pushes or none; resolves when it does so and every request of before has ended. */
  replace: (to: { readOnly: boolean }) => Promise<unknown>;
  /** Resolves when the pushes that have begun have ended, or when it has waited for long enough. */
  quiet: () => Promise<void>;
  log: Log;
}

/** Tells who asked what became of it. */
type Tell = () => void;

interface Waiting {
  /** Never rejects: what went wrong is told. */
  work: () => Promise<Tell>;
  refuse: (error: unknown) => void;
}

export class ReadOnlyWindow {
  readonly #options: ReadOnlyOptions;
  readonly #waiting: Waiting[] = [];
  #isServing = false;

  constructor(options: ReadOnlyOptions) {
    this.#options = options;
  }

  /** From the moment that a window is wanted to the one in which pushes are taken again. */
  get isClosed(): boolean {
    return this.#isServing;
  }

  /**
   * Runs work while nobody pushes, and resolves when pushes are taken again.
   * @throws what the work throws; RegistryUnavailable when no window could be opened
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

  /** Never rejects. Between the last look at what is waiting and the note that nobody serves there is no await. */
  async #serve(): Promise<void> {
    this.#isServing = true;
    while (this.#waiting.length > 0) {
      const done = await this.#window();
      for (const tell of done) tell();
    }
    this.#isServing = false;
  }

  async #window(): Promise<Tell[]> {
    const { replace, quiet, log } = this.#options;
    const done: Tell[] = [];
    let began = performance.now();
    try {
      await quiet();
      began = performance.now();
      await replace({ readOnly: true });
      for (let next = this.#waiting.shift(); next !== undefined; next = this.#waiting.shift())
        done.push(await next.work());
    } catch (cause) {
      const message =
        'The registry could not be made to take no pushes, so nothing was removed: see GET /api/registry.';
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
      log.warn({ error }, 'registry: it takes no pushes, as it could not be put back; it is tried again');
    });
    log.info({ ms: Math.round(performance.now() - began) }, 'registry: it took no pushes for a moment');
    return done;
  }
}
