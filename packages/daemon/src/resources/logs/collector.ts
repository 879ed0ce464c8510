import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import type { Engine } from '../../adapters/engine/engine.ts';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { LogBatch } from '../../adapters/engine/logs.ts';
import type { Reader } from '../../db/store.ts';
import { type LogSource, logSourceOf, logSources } from '../../db/tables/log-source.ts';

/** How long a broken read stays quiet before it goes on. */
const RETRY_MS = 1_000;
/** All containers are looked at so often, for what no event told of. */
const LOOK_MS = 30_000;
/** What the last lines of a container may take before its removal goes on without them. */
const SETTLE_MS = 10_000;

/** Where lines go, and up to where they did. */
export interface Keeping {
  position(source: LogSource): Promise<string | null>;
  /** Resolves when there is room for more. */
  keep(source: LogSource, batch: LogBatch, signal: AbortSignal): Promise<void>;
  /** Everything is written, and the container will not be read again. */
  finish(source: LogSource): Promise<void>;
}

export interface CollectorParts {
  store: Reader;
  engine: Engine;
  keeping: Keeping;
  log: Logger;
}

interface Reading {
  stop: AbortController;
  /** Something happened to the container: it may have been started again. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Reads the log of every container as it grows, each by one reader. A read ends with the container's run; the engine's
 * events, or the next look at all of them, begin it again where it ended.
 */
export class Collector implements AsyncDisposable {
  readonly #parts: CollectorParts;
  readonly #stopping = new AbortController();
  readonly #readings = new Map<string, Reading>();
  /** Read to the end of their run. */
  readonly #ended = new Set<string>();
  /** Read to their very end: they are being removed. */
  readonly #settled = new Set<string>();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** @param containerId null: all are looked at */
  nudge(containerId: string | null): void {
    if (this.#stopping.signal.aborted) return;
    if (containerId !== null) this.#noticed(containerId);
    else {
      this.#lookAgain = true;
      this.#looking ??= this.#look();
    }
  }

  async settle(container: string): Promise<void> {
    const { store, engine, keeping, log } = this.#parts;
    const source = logSourceOf(store, container);
    if (source === undefined || this.#stopping.signal.aborted) return;
    const id = source.container_id;
    const timeout = AbortSignal.timeout(SETTLE_MS);
    try {
      const reading = this.#readings.get(id);
      this.#settled.add(id);
      // Its removal ends it too, but with its last words unread.
      if (!this.#ended.has(id)) await engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      reading?.stop.abort();
      await reading?.done;
      await this.#readOnce(source, false, AbortSignal.any([timeout, this.#stopping.signal]));
      await keeping.finish(source);
    } catch (error) {
      // The removal goes on: an engine that is away refuses that one too.
      log.warn({ container, error }, 'the last lines of a container could not be read');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort(new Error('stopping'));
    clearTimeout(this.#timer);
    for (const { stop } of this.#readings.values()) stop.abort();
    await this.#looking;
    await Promise.all(this.#readings.values().map(({ done }) => done));
  }

  #noticed(containerId: string): void {
    const reading = this.#readings.get(containerId);
    if (reading) {
      reading.again = true;
      return;
    }
    const source = logSourceOf(this.#parts.store, containerId);
    if (source) this.#begin(source);
  }

  async #look(): Promise<void> {
    const { log } = this.#parts;
    clearTimeout(this.#timer);
    while (this.#lookAgain && !this.#stopping.signal.aborted) {
      this.#lookAgain = false;
      try {
        await this.#lookAtAll();
      } catch (error) {
        if (!this.#stopping.signal.aborted && !(error instanceof EngineUnavailable))
          log.warn({ error }, 'the containers whose logs are kept could not be looked at');
      }
    }
    this.#looking = null;
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.nudge(null), LOOK_MS).unref();
  }

  /** A container that does not run is read once: it may have written while nobody listened. */
  async #lookAtAll(): Promise<void> {
    const { store, engine } = this.#parts;
    const seen = await engine.observe(this.#stopping.signal);
    const states = new Map(seen.map(({ id, state }) => [id, state]));
    const sources = logSources(store);
    const known = new Set(sources.map((source) => source.container_id));
    for (const ids of [this.#ended, this.#settled]) for (const id of ids) if (!known.has(id)) ids.delete(id);
    for (const source of sources) {
      const state = states.get(source.container_id);
      if (state === undefined || this.#readings.has(source.container_id)) continue;
      if (state === 'running' || !this.#ended.has(source.container_id)) this.#begin(source);
    }
  }

  #begin(source: LogSource): void {
    const id = source.container_id;
    if (this.#settled.has(id) || this.#stopping.signal.aborted) return;
    this.#ended.delete(id);
    const reading: Reading = { stop: new AbortController(), again: false, done: Promise.resolve() };
    this.#readings.set(id, reading);
    reading.done = this.#follow(source, reading);
  }

  async #follow(source: LogSource, reading: Reading): Promise<void> {
    const { signal } = reading.stop;
    do {
      reading.again = false;
      await this.#readRun(source, reading);
    } while (reading.again && !signal.aborted);
    // At once: an event that came between the check above and this would be lost, and nothing would be read until the next look.
    this.#readings.delete(source.container_id);
    this.#ended.add(source.container_id);
  }

  /** Reads up to the end of a run. Never rejects. */
  async #readRun(source: LogSource, reading: Reading): Promise<void> {
    const { signal } = reading.stop;
    try {
      await this.#readOnce(source, true, signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof EngineUnavailable)) {
        this.#parts.log.warn({ container: source.container_id, error }, 'the log of a container cannot be read');
        return;
      }
      reading.again = true;
      // An abort is the end, which the loop asks for.
      await delay(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #readOnce(source: LogSource, follow: boolean, signal: AbortSignal): Promise<void> {
    const { engine, keeping } = this.#parts;
    const after = await keeping.position(source);
    for await (const batch of engine.logBatches(source.container_id, { after, follow, signal })) {
      await keeping.keep(source, batch, signal);
    }
  }
}
