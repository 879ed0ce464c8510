/**
 * Blocks Docker requests until the daemon has checked that its data directory belongs to this Docker. If Docker is not
 * running at the start, this check happens later. Without the block, reconcilers could run earlier: with a copied data
 * directory, they would remove containers of the original instance.
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
      // The client is called first, because its own error is more specific than the error of this gate.
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
   * Checks that Docker requests are allowed.
   * @throws EngineUnavailable if the daemon has not yet checked that this data directory belongs to this Docker
   */
  demandOpen(): void {
    if (this.#isOpen) return;
    throw new EngineUnavailable(
      'Docker does not respond, or Davit has not yet checked whether this is the Docker Engine of the instance. Try again later.',
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
