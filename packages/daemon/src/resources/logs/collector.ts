import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@davit/service';
import type { Engine } from '../../adapters/engine/engine.ts';
import { EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { LogBatch } from '../../adapters/engine/logs.ts';
import type { Reader } from '../../db/store.ts';
import { type LogSource, logSourceOf, logSources } from '../../db/tables/log-source.ts';

/** Delay in milliseconds after which a failed read of a container's log is retried. */
const RETRY_MS = 1_000;
/**
 * Interval in milliseconds between checks of all containers. A check finds containers for which no Docker event
 * arrived.
 */
const LOOK_MS = 30_000;
/** Maximum time in milliseconds to read the last log lines of a container before the container is removed. */
const SETTLE_MS = 10_000;

/** Storage for log lines and for the read position of each container. */
export interface Keeping {
  position(source: LogSource): Promise<string | null>;
  /** Stores log lines. The promise resolves when the storage accepts more lines. */
  keep(source: LogSource, batch: LogBatch, signal: AbortSignal): Promise<void>;
  /** Writes the remaining log lines of a container to disk, because Davit will not read the container's log again. */
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
  /**
   * Whether Docker reported an event of the container while Davit read the container's log. The container may have been
   * restarted, so Davit must read the log again.
   */
  again: boolean;
  done: Promise<void>;
}

/**
 * Reads the logs of all containers, with one reader per container. If a reader stops, a Docker event or a periodic
 * check starts a new reader at the stored position.
 */
export class Collector implements AsyncDisposable {
  readonly #parts: CollectorParts;
  readonly #stopping = new AbortController();
  readonly #readings = new Map<string, Reading>();
  /** Ids of stopped containers whose log was read to the end. */
  readonly #ended = new Set<string>();
  /** Ids of containers that are being removed. Davit does not start another reader for the logs of these containers. */
  readonly #settled = new Set<string>();
  #looking: Promise<void> | null = null;
  #lookAgain = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: CollectorParts) {
    this.#parts = parts;
  }

  /** @param containerId id of the container to check, or `null` to check all containers */
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
      // Stop the container first. Otherwise, lines that the container writes after the last read would be lost.
      if (!this.#ended.has(id)) await engine.stop(id, { signal: 'SIGKILL', graceS: 0 });
      reading?.stop.abort();
      await reading?.done;
      await this.#readOnce(source, false, AbortSignal.any([timeout, this.#stopping.signal]));
      await keeping.finish(source);
    } catch (error) {
      // Log the error and continue. The container is removed even if Davit cannot read its last log lines.
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
          log.warn({ error }, 'the containers could not be listed, so Davit cannot collect the logs of new containers');
      }
    }
    this.#looking = null;
    if (this.#stopping.signal.aborted) return;
    this.#timer = setTimeout(() => this.nudge(null), LOOK_MS).unref();
  }

  /**
   * Starts a reader for each log that has no reader. The log of a stopped container is read once, because it may
   * contain unsaved lines.
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
    /*
     * Do not add an `await` here. During the wait, a Docker event could request another read of the log, and this
     * request would be lost.
     */
    this.#readings.delete(source.container_id);
    this.#ended.add(source.container_id);
  }

  /** Reads the log of a container until the container stops. Never rejects. */
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
      // Ignore the error. It only means that the signal was aborted, and the loop around this code checks the signal.
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
