/**
 * Windows in which the registry rejects pushes. In a window, a container with a read-only configuration replaces the
 * usual container. No push can then interfere with a removal. Pulls fail only at the moment when one container replaces
 * the other. Work that is requested while a window is open runs in that window.
 *
 * Windows are not recorded. If the daemon ends during a window, the next daemon starts the registry in its usual mode.
 */

import type { Log } from '../../engine/docker/context.ts';
import { RegistryUnavailable } from '../registry.ts';

export interface ReadOnlyOptions {
  /**
   * Makes the registry accept or reject pushes. Resolves when the new mode is active and all earlier requests have
   * ended.
   */
  replace: (to: { readOnly: boolean }) => Promise<unknown>;
  /** Resolves when the running pushes have ended, or after a maximum time. */
  quiet: () => Promise<void>;
  log: Log;
}

/** Settles the promise of a caller. */
type Tell = () => void;

interface Waiting {
  /** Runs the work. The promise never rejects, because the returned function reports errors. */
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

  /** Whether pushes are rejected, from the request for a window until pushes are accepted again. */
  get isClosed(): boolean {
    return this.#isServing;
  }

  /**
   * Runs work while no push runs. Resolves when pushes are accepted again.
   * @throws the error of the work; RegistryUnavailable if no window could be opened
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
   * Opens windows while work is waiting. Never rejects. No `await` may stand between the last check of the queue and
   * `#isServing = false`.
   */
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
        'The registry could not be made read-only, so nothing was removed. Find the reason at GET /api/registry.';
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
      log.warn({ error }, 'registry: could not be made writable again, so it accepts no pushes until the next attempt');
    });
    log.info({ ms: Math.round(performance.now() - began) }, 'registry: was read-only for a moment');
    return done;
  }
}
