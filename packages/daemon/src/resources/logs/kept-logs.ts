/**
 * Stores the logs of apps on disk. The daemon reads the output of containers and writes the lines to files, with one
 * folder per app. So the log lines remain after a container is removed. Docker's own log files are not enough, because
 * Docker deletes them with the container and offers no search. SQLite would use too much CPU time for ten thousand rows
 * per second.
 */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { InstanceSettings } from '@davit/api';
import type { Logger } from '@davit/service';
import { FewAtOnce } from '@davit/service/few-at-once';
import type { Engine } from '../../adapters/engine/engine.ts';
import type { LogBatch } from '../../adapters/engine/logs.ts';
import type { CommittedEvent, Store } from '../../db/store.ts';
import type { LogSource } from '../../db/tables/log-source.ts';
import { isAlive } from '../../db/tables/release.ts';
import { AppLog } from './app-log.ts';
import { Collector, type Keeping } from './collector.ts';
import { Batch, Followers } from './followers.ts';
import {
  type Followed,
  type FoundLines,
  type LogFollowQuery,
  type LogSearch,
  type Logs,
  LogsUnreadable,
} from './logs.ts';
import { compareMoments } from './moment.ts';
import { readFrom, Sieve, searchLog } from './search.ts';

export interface KeptLogsOptions {
  /** Folder for the logs of apps. It is created when the first line arrives. */
  folder: string;
  store: Store;
  engine: Engine;
  settings: () => InstanceSettings;
  /** Returns the current time in milliseconds since the epoch. */
  now: () => number;
  log: Logger;
}

/**
 * Delays in milliseconds until log lines are written to disk. `followed` applies while a client follows the log, and
 * `failed` applies after a failed write.
 */
const FLUSH = { followed: 100, usual: 1_000, failed: 5_000 };
/** Maximum size in bytes of the stored log lines that Davit sends at the start of a log stream. */
const TAIL_BYTES = 10 * 1024 * 1024;
const DAY_S = 86_400;
/** Maximum number of log searches at the same time. Each search can use about 30 MB of memory and one processor. */
const SEARCHES_AT_ONCE = 3;

interface KeptApp {
  id: number;
  log: AppLog;
  followers: Followers;
  timer: NodeJS.Timeout | undefined;
  isWriting: boolean;
}

export class KeptLogs implements Logs {
  readonly #options: KeptLogsOptions;
  readonly #apps = new Map<number, Promise<KeptApp>>();
  readonly #collector: Collector;
  readonly #stopListening: () => void;
  /** Map from app id to the error that prevents Davit from storing the app's log lines. */
  readonly #problems = new Map<number, Error>();
  readonly #searches = new FewAtOnce(SEARCHES_AT_ONCE);

  /**
   * Creates the storage for the logs of all apps. Davit reads container output only after the first call of `nudge`.
   */
  constructor(options: KeptLogsOptions) {
    this.#options = options;
    const { store, engine, log } = options;
    const keeping: Keeping = {
      position: async (source) => (await this.#open(source.app_id)).log.position(keyOf(source)),
      keep: (source, batch, signal) => this.#keep(source, batch, signal),
      finish: (source) => this.#finish(source),
    };
    this.#collector = new Collector({ store, engine, keeping, log });
    this.#stopListening = store.onEvent((event) => this.#heard(event));
  }

  async search(appId: number, search: LogSearch, signal: AbortSignal): Promise<FoundLines> {
    const { log } = this.#options;
    return this.#searches.run(signal, async () => {
      try {
        const app = await this.#open(appId);
        return await searchLog(await app.log.snapshot(), this.#inTime(search), signal, log);
      } catch (error) {
        if (!isOfTheSystem(error)) throw error;
        throw new LogsUnreadable(error.message, { cause: error });
      }
    });
  }

  async *follow(appId: number, { filter, tail, after }: LogFollowQuery, signal: AbortSignal): AsyncGenerator<Followed> {
    const app = await this.#open(appId);
    const sieve = new Sieve(filter);
    let seen = after ?? -1;
    if (seen < app.log.first - 1 || seen > app.log.newest) {
      // First send the stored lines up to the newest line at this moment. Then send all later lines.
      seen = app.log.newest;
      if (after !== null) yield { kind: 'reset' };
      const snapshot = await app.log.snapshot();
      const search = this.#inTime({ ...filter, last: seen, limit: tail, maxBytes: TAIL_BYTES });
      const { lines } = await searchLog(snapshot, search, signal, this.#options.log);
      yield { kind: 'lines', last: seen, lines };
    }
    // New log lines can arrive while stored lines are read. Repeat until all of these lines are read.
    for (let isLate = true; isLate; isLate = app.log.last > seen) {
      const snapshot = await app.log.snapshot();
      for await (const chunk of readFrom(snapshot, seen + 1, this.#options.log)) {
        const batch = new Batch([chunk]);
        yield* batch.pages(seen, sieve);
        batch.release();
        if (signal.aborted) return;
      }
      seen = Math.max(seen, snapshot.last);
    }
    for await (const batch of app.followers.listen(signal)) {
      if (batch.last > seen) yield* batch.pages(seen, sieve);
      seen = Math.max(seen, batch.last);
    }
  }

  nudge(containerId?: string): void {
    this.#collector.nudge(containerId ?? null);
  }

  settle(container: string): Promise<void> {
    return this.#collector.settle(container);
  }

  problem(): string | null {
    const [error] = this.#problems.values();
    if (error === undefined) return null;
    return `The logs of apps cannot be stored (${error.message}). Free some disk space, or check the data directory. Davit then reads the missing lines if Docker still has them.`;
  }

  async bytes(appId: number): Promise<number> {
    const folder = join(this.#options.folder, String(appId));
    const names = await readdir(folder).catch(nothingWhenGone);
    const sizes = names.map((name) => stat(join(folder, name)).then(({ size }) => [size], nothingWhenGone));
    return (await Promise.all(sizes)).flat().reduce((sum, size) => sum + size, 0);
  }

  async prune(): Promise<void> {
    const { folder, store, now } = this.#options;
    const names = await readdir(folder).catch(nothingWhenGone);
    for (const appId of names.map(Number).filter(Number.isInteger)) {
      if (!isAlive(store, appId)) await this.#forget(appId);
      else await (await this.#open(appId)).log.prune(now());
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
    await this.#collector[Symbol.asyncDispose]();
    // Ignore logs that could not be opened, because they need not be closed.
    const opened = await Promise.allSettled(this.#apps.values());
    for (const result of opened) {
      if (result.status === 'rejected') continue;
      const { timer, followers, log } = result.value;
      clearTimeout(timer);
      followers.end();
      await log.close();
    }
  }

  #open(appId: number): Promise<KeptApp> {
    const known = this.#apps.get(appId);
    if (known) return known;
    const { folder, settings } = this.#options;
    const bounds = () => ({ bytes: settings().logs.bytes_per_app, days: settings().logs.days });
    const opening = AppLog.open(join(folder, String(appId)), bounds).then((log): KeptApp => {
      const app: KeptApp = { id: appId, log, followers: new Followers(), timer: undefined, isWriting: false };
      this.#problems.delete(appId);
      log.onWritten = (chunks) => app.followers.publish(chunks);
      return app;
    });
    this.#apps.set(appId, opening);
    /*
     * If the log cannot be opened, remove the failed promise from the map. The next call then tries to open the log
     * again.
     */
    opening.catch((error: Error) => {
      this.#apps.delete(appId);
      this.#problems.set(appId, error);
    });
    return opening;
  }

  async #keep(source: LogSource, batch: LogBatch, signal: AbortSignal): Promise<void> {
    if (!isAlive(this.#options.store, source.app_id)) return;
    const app = await this.#open(source.app_id);
    while (app.log.isFull && !signal.aborted) {
      await this.#flush(app);
      // Wait before the next attempt. Until then, the lines that Davit cannot store stay in Docker's log.
      if (app.log.isFull) await delay(FLUSH.failed, undefined, { signal }).catch(() => undefined);
    }
    // Stop after an abort. The next reader of the container's log continues after the last stored line.
    if (signal.aborted) return;
    const { deployment_id: deployment, ordinal } = source;
    app.log.add({ replica: `${deployment}-${ordinal}`, deployment }, keyOf(source), batch);
    if (app.log.isWorthAWrite && !app.isWriting) void this.#flush(app);
    else this.#flushIn(app, app.followers.size > 0 ? FLUSH.followed : FLUSH.usual);
  }

  async #finish(source: LogSource): Promise<void> {
    const app = await this.#open(source.app_id);
    await this.#flush(app);
    app.log.forgetPosition(keyOf(source));
  }

  #flushIn(app: KeptApp, ms: number): void {
    app.timer ??= setTimeout(() => void this.#flush(app), ms).unref();
  }

  async #flush(app: KeptApp): Promise<void> {
    clearTimeout(app.timer);
    app.timer = undefined;
    app.isWriting = true;
    await app.log.flush();
    app.isWriting = false;
    this.#note(app);
    if (app.log.hasPending) this.#flushIn(app, app.log.problem === null ? FLUSH.followed : FLUSH.failed);
  }

  #note({ id, log }: KeptApp): void {
    const { problem } = log;
    if (problem === null) {
      this.#problems.delete(id);
      return;
    }
    const isNew = this.#problems.size === 0;
    this.#problems.set(id, problem);
    if (isNew) this.#options.log.warn({ app: id, error: problem }, 'the logs of apps cannot be stored');
  }

  #heard({ kind, appId }: CommittedEvent): void {
    if (kind !== 'app' && kind !== 'project') return;
    const { store, log } = this.#options;
    for (const id of appId == null ? [...this.#apps.keys()] : [appId]) {
      if (!this.#apps.has(id) || isAlive(store, id)) continue;
      this.#forget(id).catch((error) => log.warn({ app: id, error }, 'the log of a deleted app could not be removed'));
    }
  }

  async #forget(appId: number): Promise<void> {
    const app = await this.#open(appId);
    clearTimeout(app.timer);
    app.followers.end();
    await app.log.destroy();
    this.#apps.delete(appId);
    this.#problems.delete(appId);
  }

  /** Limits a search to the maximum age of log lines. Older lines may still be on disk, but users must not see them. */
  #inTime(search: LogSearch): LogSearch {
    const { settings, now } = this.#options;
    const oldest = { seconds: Math.floor(now() / 1000) - settings().logs.days * DAY_S, nanos: 0 };
    const since = search.since !== undefined && compareMoments(search.since, oldest) > 0 ? search.since : oldest;
    return { ...search, since };
  }
}

/** Returns whether an error comes from the operating system. An example is a file that cannot be read or written. */
function isOfTheSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

/**
 * Returns the first 12 characters of a container id, as in the output of `docker ps`. Davit uses this short id as the
 * key for the read position of the container's output.
 */
function keyOf({ container_id }: LogSource): string {
  return container_id.slice(0, 12);
}

function nothingWhenGone(error: NodeJS.ErrnoException): [] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
