/**
 * Blocks requests to Docker until the daemon has checked that its data directory belongs to this Docker installation.
 * If Docker starts later than the daemon, the check also runs later. Without this block, a daemon with a copied data
 * directory could remove containers of the original instance before the check.
 */

import { unlessAborted } from '@davit/service';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

type Member = (...given: never[]) => unknown;

export class HomeGate {
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;

  /** Allows Docker requests from now on. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /**
   * Wraps the Docker client so that its calls fail with `EngineUnavailable` until `open` is called. Only the check of
   * the data directory uses the client without this wrapper.
   */
  engine(engine: Engine): Engine {
    const { kind, capabilities, watch, logBatches, ...calls } = engine;
    const guarded = Object.entries<Member>(calls).map(([name, call]) => [name, this.#guarded(call)]);
    return {
      ...engine,
      ...(Object.fromEntries(guarded) as typeof calls),
      // Calls Docker first, because an error of Docker says more than the general error of `demandOpen`.
      info: async (signal) => {
        const info = await engine.info(signal);
        this.demandOpen();
        return info;
      },
      logBatches: (id, query) => this.#whenOpen(() => logBatches(id, query)),
      watch: (signal) => (this.#isOpen ? watch(signal) : this.#watchLater(watch, signal)),
    };
  }

  /**
   * Throws an error while requests to Docker are blocked.
   * @throws EngineUnavailable if the daemon has not yet checked that the instance may use this Docker installation
   */
  demandOpen(): void {
    if (this.#isOpen) return;
    throw new EngineUnavailable(
      'Docker does not respond, or Davit has not yet checked that it is the same Docker Engine as before. Try again later.',
    );
  }

  #guarded<T extends Member>(call: T): T {
    const guarded = async (...given: Parameters<T>) => {
      this.demandOpen();
      return call(...given);
    };
    return guarded as unknown as T;
  }

  async *#whenOpen<T>(read: () => AsyncIterable<T>): AsyncGenerator<T> {
    this.demandOpen();
    yield* read();
  }

  async *#watchLater(watch: Engine['watch'], signal: AbortSignal): ReturnType<Engine['watch']> {
    try {
      await unlessAborted(this.#opened.promise, signal);
    } catch {
      // An abort of the signal ends the event stream without an error.
      return;
    }
    const events = watch(signal);
    // Earlier Docker events were missed, so the receiver must query the state of all containers.
    yield { kind: 'resync' };
    yield* events;
  }
}
