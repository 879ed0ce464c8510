/**
 * Blocks requests to Docker until the data directory is checked. If the directory is a copy, its daemon could otherwise
 * remove the containers of the original instance.
 */

import { unlessAborted } from '@davit/service';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

type Member = (...given: never[]) => unknown;

export class HomeGate {
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;

  /** Allows all requests to Docker. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /**
   * Returns a Docker client whose calls throw EngineUnavailable until requests to Docker are allowed. The check of the
   * data directory uses the Docker client without this block.
   */
  engine(engine: Engine): Engine {
    const { kind, capabilities, watch, logBatches, ...calls } = engine;
    const guarded = Object.entries<Member>(calls).map(([name, call]) => [name, this.#guarded(call)]);
    return {
      ...engine,
      ...(Object.fromEntries(guarded) as typeof calls),
      /*
       * This method calls Docker even before `open`. If Docker does not respond, users then see the error message of
       * Docker.
       */
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
   * @throws EngineUnavailable
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
      // If the signal aborts, the event stream ends without an error.
      return;
    }
    const events = watch(signal);
    // Earlier Docker events were missed, so the receiver must query the state of all containers.
    yield { kind: 'resync' };
    yield* events;
  }
}
