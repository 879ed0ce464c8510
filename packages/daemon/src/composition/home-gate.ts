/**
 * Keeps an instance away from an engine of which it is not known yet whether the instance belongs there. One that was
 * started while the engine was away runs without it. When the engine is back, every reconciler acts at once, and those of a
 * copy would remove the containers of the first instance.
 */

import { unlessAborted } from '@davit/service';
import type { Engine } from '../adapters/engine/engine.ts';
import { EngineUnavailable } from '../adapters/engine/errors.ts';

type Member = (...given: never[]) => unknown;

export class HomeGate {
  readonly #opened = Promise.withResolvers<void>();
  #isOpen = false;

  /** Lets all calls through: the instance is bound. */
  open(): void {
    this.#isOpen = true;
    this.#opened.resolve();
  }

  /** Returns an engine that is away until the gate is open. The binding itself needs the engine behind it. */
  engine(engine: Engine): Engine {
    const { kind, capabilities, watch, logBatches, ...calls } = engine;
    const guarded = Object.entries<Member>(calls).map(([name, call]) => [name, this.#guarded(call)]);
    return {
      ...engine,
      ...(Object.fromEntries(guarded) as typeof calls),
      // First what keeps the engine away, which says more.
      info: async (signal) => {
        const info = await engine.info(signal);
        this.demandOpen();
        return info;
      },
      logBatches: (id, query) => this.#whenOpen(() => logBatches(id, query)),
      watch: (signal) => (this.#isOpen ? watch(signal) : this.#watchLater(watch, signal)),
    };
  }

  /** @throws EngineUnavailable */
  demandOpen(): void {
    if (this.#isOpen) return;
    throw new EngineUnavailable(
      'The engine does not answer, or Davit has not checked yet that this instance belongs to it: try again shortly.',
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
    // Anything may have happened until now.
    yield { kind: 'resync' };
    yield* events;
  }
}
