/**
 * Runs commands in new containers of an app's live release. A run continues after a restart of the daemon. A command
 * never starts twice.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { DavitError } from '@davit/api';
import { type Logger, unlessAborted } from '@davit/service';
import { LeftRunning } from '../../adapters/engine/errors.ts';
import type { TakeLine } from '../../adapters/engine/one-off.ts';
import type { Tx } from '../../db/store.ts';
import { appById } from '../../db/tables/app.ts';
import { storedSpec } from '../../db/tables/app-spec.ts';
import { volumesOfDeployment } from '../../db/tables/mount.ts';
import { isAlive, liveOf } from '../../db/tables/release.ts';
import {
  countRunning,
  endRun,
  insertRun,
  pruneRunsOfApp,
  pruneRunsOfSchedule,
  type RunRow,
  runById,
  runningOfSchedule,
  runningRuns,
} from '../../db/tables/run.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import type { RunsDeps } from './deps.ts';
import { Ended, type ExecutionOptions, executeRun, type RunOutcome } from './execution.ts';
import type { RunRequest, Runs } from './runs.ts';

/** Maximum number of running commands per app. A higher number is probably a mistake, and each command uses memory. */
const MOST_OF_APP = 10;

/** Delay in milliseconds before Davit retries to save the result of a finished command. */
const AGAIN_MS = 1_000;

/**
 * Maximum time in milliseconds to wait for the end of canceled commands. On a busy server, it can take long to kill a
 * container.
 */
const ENDING_MS = 30_000;

interface Going {
  appId: number;
  stopping: AbortController;
  /**
   * Resolves when the result of the run is saved. If the daemon stops first, resolves without a result, and the command
   * continues.
   */
  done: Promise<void>;
}

export class CommandRunner implements Runs, AsyncDisposable {
  readonly #core: RunsDeps;
  readonly #log: Logger;
  readonly #going = new Map<number, Going>();
  readonly #closing = new AbortController();
  readonly #stopListening: () => void;

  constructor(core: RunsDeps, log: Logger) {
    this.#core = core;
    this.#log = log;
    this.#stopListening = core.store.onEvent(({ kind, appId, data }) => {
      if (kind === 'app' && data.change === 'deleted') this.#endOf(appId);
    });
  }

  begin(request: RunRequest, watcher?: TakeLine, also: (tx: Tx) => void = () => undefined): number {
    const { store, engineSight } = this.#core;
    this.#closing.signal.throwIfAborted();
    if (!engineSight().available) {
      const message = 'Docker does not respond, so the command was not run. The endpoint /readyz shows the reason.';
      throw new DavitError('engine_unavailable', message, { retryAfterS: 5 });
    }
    const id = store.tx((tx) => {
      const app = appById(tx, request.appId);
      if (app === undefined) throw new DavitError('not_found');
      return withinQuota(tx, app.project_id, () => {
        const deploymentId = this.#demandRunnable(tx, request);
        const limits = JSON.stringify(storedSpec(app.spec).limits);
        // In the same transaction, save which volumes the command uses, so that no other app can use these volumes.
        const volumes = volumesOfDeployment(tx, deploymentId);
        const run = insertRun(tx, { ...this.#fields(request), deploymentId, limits, volumes });
        also(tx);
        return run;
      });
    });
    this.#go(id, request.appId, watcher);
    return id;
  }

  skip(tx: Tx, request: RunRequest, why: string): void {
    const deploymentId = liveOf(tx, request.appId)?.id ?? null;
    insertRun(tx, { ...this.#fields(request), deploymentId, limits: null, volumes: [] }, why);
    this.#prune(tx, { app_id: request.appId, schedule_id: request.scheduleId });
  }

  async cancel(id: number, why: string): Promise<void> {
    const going = this.#going.get(id);
    if (going === undefined) throw new DavitError('conflict', `Run ${id} has already ended, so it cannot be canceled.`);
    going.stopping.abort(new Ended('cancelled', why));
    await going.done;
  }

  async ended(id: number, signal: AbortSignal): Promise<void> {
    const going = this.#going.get(id);
    if (going === undefined) return;
    await unlessAborted(going.done, signal);
    if (this.#closing.signal.aborted && runById(this.#core.store, id)?.status === 'running') throw new Interrupted();
  }

  async toldEnded(): Promise<void> {
    const cancelled = [...this.#going.values()].filter(({ stopping }) => stopping.signal.aborted);
    await unlessAborted(Promise.all(cancelled.map(({ done }) => done)), AbortSignal.timeout(ENDING_MS));
  }

  /** Continues the runs that were in progress when the daemon stopped. A run fails if its container is missing. */
  recover(): void {
    const { store } = this.#core;
    for (const row of runningRuns(store)) {
      this.#go(row.id, row.app_id, undefined, true);
      if (!isAlive(store, row.app_id)) this.#endOf(row.app_id);
    }
  }

  /**
   * Called when the daemon stops. Running commands continue in their containers. After its next start, the daemon waits
   * for the results of these commands.
   */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopListening();
    this.#closing.abort(new Interrupted());
    for (const { stopping } of this.#going.values()) stopping.abort(new LeftRunning('the daemon is stopping'));
    await Promise.all(this.#going.values().map(({ done }) => done));
  }

  #endOf(app: number | null): void {
    for (const { appId, stopping } of this.#going.values()) {
      if (appId === app) stopping.abort(new Ended('cancelled', 'The app was deleted while the command was running.'));
    }
  }

  #go(id: number, appId: number, watcher: TakeLine | undefined, isTakenUp = false): void {
    const stopping = new AbortController();
    /*
     * The API request can end before the command. So the request's entry in the audit log must not include changes by
     * the command.
     */
    const done = this.#core.store.trail.apart(() => this.#run(id, { watcher, isTakenUp, signal: stopping.signal }));
    this.#going.set(id, { appId, stopping, done: done.finally(() => this.#going.delete(id)) });
  }

  async #run(id: number, how: ExecutionOptions): Promise<void> {
    const row = runById(this.#core.store, id);
    if (row === undefined) return;
    const outcome = await executeRun(this.#core, this.#log, row, how);
    if (outcome !== null) await this.#record(row, outcome);
  }

  /**
   * Saves the result of a finished command in the database. Retries after a failure, because a full disk may have free
   * space later.
   */
  async #record(row: RunRow, { output, ...end }: RunOutcome): Promise<void> {
    const { store, sealer, now } = this.#core;
    const sealedOutput = sealer.seal(output, outputLocation(row.id));
    for (;;) {
      try {
        store.tx((tx) => {
          if (endRun(tx, row, { ...end, sealedOutput, at: now() })) this.#prune(tx, row);
        });
        return;
      } catch (error) {
        this.#log.error({ run: row.id, error }, 'the result of a command could not be stored');
      }
      if (this.#closing.signal.aborted) return;
      // Ignore the error of the aborted wait. Only a stop of the daemon aborts the wait, and then the loop ends.
      await sleep(AGAIN_MS, undefined, { signal: this.#closing.signal }).catch(() => undefined);
    }
  }

  /**
   * Checks that an app can run a command now.
   * @returns id of the live deployment, whose release runs the command
   * @throws DavitError not_found; conflict
   */
  #demandRunnable(tx: Tx, { appId, scheduleId }: RunRequest): number {
    if (!isAlive(tx, appId)) throw new DavitError('not_found');
    const live = liveOf(tx, appId);
    if (live === undefined || live.image_id === null) {
      throw new DavitError(
        'conflict',
        'The app has no live release, so it cannot run a command. Deploy the app first.',
      );
    }
    const before = scheduleId === null ? undefined : runningOfSchedule(tx, scheduleId);
    if (before !== undefined) throw new DavitError('conflict', `Run ${before.id} of the schedule is still running.`);
    if (countRunning(tx, appId) >= MOST_OF_APP) {
      const message = `The app has ${MOST_OF_APP} running commands, which is the limit. Wait for the end of one, or cancel one.`;
      throw new DavitError('conflict', message);
    }
    return live.id;
  }

  #fields({ appId, scheduleId, command, timeoutS, by, via }: RunRequest) {
    return { appId, scheduleId, command, timeoutS, askedBy: by, askedVia: via, at: this.#core.now() };
  }

  #prune(tx: Tx, { app_id, schedule_id }: Pick<RunRow, 'app_id' | 'schedule_id'>): void {
    const { per_app, per_schedule } = this.#core.settings().runs;
    if (schedule_id === null) pruneRunsOfApp(tx, app_id, per_app);
    else pruneRunsOfSchedule(tx, schedule_id, per_schedule);
  }
}

/**
 * Returns the additional authenticated data for the encryption of a command's output. With this data, output that was
 * copied to another run cannot be decrypted.
 */
export function outputLocation(id: number): string {
  return `runs/${id}/output`;
}
