/**
 * Keeps an instance away from the engine until the instance is bound to it. An instance that starts while the engine is
 * unavailable runs without being bound. When the engine returns, all reconcilers act at once, and the reconcilers of a
 * copied instance would remove the containers of the original instance.
 */

import { unlessAborted } from '@davit/service';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

type Member = (...given: never[]) => unknown;

export class HomeGate {
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;

  /** Allows all calls, because the instance is bound. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** Returns an engine that is unavailable until the gate is open. The binding itself uses the original engine. */
  engine(engine: Engine): Engine {
    const { kind, capabilities, watch, logBatches, ...calls } = engine;
    const guarded = Object.entries<Member>(calls).map(([name, call]) => [name, this.#guarded(call)]);
    return {
      ...engine,
      ...(Object.fromEntries(guarded) as typeof calls),
      // The engine is queried first, because its own error is more specific than the error of the gate.
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
   * Checks that the gate is open.
   * @throws EngineUnavailable if it is not
   */
  demandOpen(): void {
    if (this.#isOpen) return;
    throw new EngineUnavailable(
      'The container engine does not respond, or Davit has not yet checked that this instance belongs to it. Try again later.',
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
      // A watch ends without an error when its signal aborts.
      return;
    }
    const events = watch(signal);
    // Earlier events were not observed.
    yield { kind: 'resync' };
    yield* events;
  }
}
