import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import type { Engine } from '../../adapters/engine/engine.ts';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { LogBatch } from '../../adapters/engine/logs.ts';
import type { Reader } from '../../db/store.ts';
import { type LogSource, logSourceOf, logSources } from '../../db/tables/log-source.ts';

/** Pause in milliseconds before a failed read continues. */
const RETRY_MS = 1_000;
/** Interval in milliseconds between checks of all containers, for changes without an event. */
const LOOK_MS = 30_000;
/** Maximum time in milliseconds to store the last lines of a container. After this time, its removal continues. */
const SETTLE_MS = 10_000;

/** Destination of log lines, with the position of each container. */
export interface Keeping {
  position(source: LogSource): Promise<string | null>;
  /** Stores a batch. Resolves when the destination accepts more lines. */
  keep(source: LogSource, batch: LogBatch, signal: AbortSignal): Promise<void>;
  /** Writes all lines of a container that will not be read again. */
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
  /** Whether an event of the container arrived during the read, for example because the container was started again. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Reads the logs of all containers, with one reader per container. A read ends with the run of its container. An event
 * of the engine or the next check of all containers continues the log from its last position.
 */
export class Collector implements AsyncDisposable {
  readonly #parts: CollectorParts;
  readonly #stopping = new AbortController();
  readonly #readings = new Map<string, Reading>();
  /** Ids of containers whose last run is read to its end. */
  readonly #ended = new Set<string>();
  /** Ids of containers whose log is read completely, because they are being removed. */
  readonly #settled = new Set<string>();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** @param containerId id of one container, or `null` to check all containers */
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
      // The container is stopped first, because a removal of the running container would lose its last lines.
      if (!this.#ended.has(id)) await engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      reading?.stop.abort();
      await reading?.done;
      await this.#readOnce(source, false, AbortSignal.any([timeout, this.#stopping.signal]));
      await keeping.finish(source);
    } catch (error) {
      // The removal continues. If the engine is unavailable, the removal fails anyway.
      log.warn({ container, error }, 'the last log lines of a container could not be read');
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
          log.warn({ error }, 'the containers whose logs are collected could not be listed');
      }
    }
    this.#looking = null;
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.nudge(null), LOOK_MS).unref();
  }

  /**
   * Starts a read for each container without one. A stopped container is read once, because it may have written lines
   * earlier.
   */
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
    // The entry is deleted synchronously. An event between the check above and the deletion would otherwise be lost
    // until the next check.
    this.#readings.delete(source.container_id);
    this.#ended.add(source.container_id);
  }

  /** Reads the log up to the end of a run. Never rejects. */
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
      // An abort ends the pause, and the condition of the caller's loop checks the signal.
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
