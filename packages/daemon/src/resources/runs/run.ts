/** API functions for runs of commands. Each command runs in a new container of an app. */
import { allows, DavitError, type Run, type RunInput, timestamp } from '@davit/api';
import type { LogLine } from '../../adapters/engine/logs.ts';
import { runName } from '../../adapters/engine/names.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { unsealed } from '../../app-spec/unsealed.ts';
import type { OpContext } from '../../auth/context.ts';
import { commandOf, outputOfRun, type RunRow, runById, runsOfApp } from '../../db/tables/run.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { BoundedQueue } from '../../streams/bounded-queue.ts';
import type { LiveEvent } from '../../streams/live-event.ts';
import { Interrupted } from '../../workflow/interrupted.ts';
import { outputLocation } from './command-runner.ts';
import type { RunsDeps } from './deps.ts';
import type { RunRequest } from './runs.ts';

/**
 * Maximum number of characters of output in memory for a slow client. At this limit, the command must wait. A line
 * shorter than 256 characters is counted as 256.
 */
const WAITING_CHARACTERS = 256_000;
const LEAST_OF_LINE = 256;

const LEFT = 'Davit stopped the command because the client disconnected.';

/**
 * Runs a command in an app and returns its result. Cancels the command if the client disconnects.
 * @throws DavitError conflict, unavailable; Interrupted if the daemon stops
 */
export async function runInApp(core: RunsDeps, ctx: OpContext, app: AppTarget, input: RunInput): Promise<Run> {
  const id = core.runs.begin(runRequestOf(ctx, app, input));
  try {
    await core.runs.ended(id, ctx.signal);
  } catch (error) {
    if (!(error instanceof Interrupted)) await leave(core, id);
    throw error;
  }
  return readRun(core, ctx, app, String(id));
}

/**
 * Starts a command in the background and returns the run.
 * @throws DavitError conflict, unavailable
 */
export function beginCommand(core: RunsDeps, ctx: OpContext, app: AppTarget, input: RunInput): Run {
  const id = core.runs.begin(runRequestOf(ctx, app, input));
  return readRun(core, ctx, app, String(id));
}

/**
 * Runs a command when the stream is read. The stream contains the output of the command, followed by the finished run.
 * Cancels the command if the client disconnects.
 * @throws DavitError conflict, unavailable
 */
export async function* followCommand(
  core: RunsDeps,
  ctx: OpContext,
  { app, input }: { app: AppTarget; input: RunInput },
  signal: AbortSignal,
): AsyncGenerator<LiveEvent> {
  const feed = new BoundedQueue<LogLine>({
    limit: WAITING_CHARACTERS,
    weightOf: ({ line }) => Math.max(line.length, LEAST_OF_LINE),
  });
  const id = core.runs.begin(runRequestOf(ctx, app, input), (line) => feed.push(line));
  const container = runName(core.facts.id, id);
  const ended = core.runs.ended(id, signal).finally(() => feed.end());
  // Prevent an unhandled rejection with this empty handler. `await ended` below throws the same error.
  ended.catch(() => undefined);
  let isOver = false;
  try {
    for (let lines = await feed.nextAll(); lines !== undefined; lines = await feed.nextAll()) {
      const logLines = lines.map(({ stream, at, line }) => ({ container, stream, at: at.toISOString(), line }));
      yield { event: 'log', data: { lines: logLines } };
    }
    await ended;
    isOver = true;
    yield { event: 'run', data: readRun(core, ctx, app, String(id)) };
  } finally {
    feed.end();
    if (!isOver && !(signal.reason instanceof Interrupted)) await leave(core, id);
  }
}

/**
 * Returns the runs of an app, newest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listRuns({ store }: RunsDeps, _ctx: OpContext, app: AppTarget, query: PageQuery): Page<Run> {
  const read = (limit: number, before: number | null) => runsOfApp(store, app.id, limit, before);
  return mapPage(
    numberedPage(query, (row) => row.id, read),
    (row) => presentRun(row, app),
  );
}

/**
 * Returns a run. The output is included only if the user may read secrets.
 * @throws DavitError not_found; conflict if the output cannot be decrypted
 */
export function readRun(core: RunsDeps, { actor }: OpContext, app: AppTarget, number: string | undefined): Run {
  const row = ownRun(core, app, number);
  const sealed = allows(actor.role, 'secrets') ? outputOfRun(core.store, row.id) : null;
  if (sealed === null) return { ...presentRun(row, app), output: null };
  const output = unsealed(
    () => core.sealer.open(sealed, outputLocation(row.id)),
    `The output of run ${row.id} cannot be decrypted, because it was changed outside Davit. Run the command again.`,
  );
  return { ...presentRun(row, app), output };
}

/**
 * Cancels a command, waits for its end and returns the run.
 * @throws DavitError not_found; conflict if the command had already ended
 */
export async function cancelRun(
  core: RunsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<Run> {
  const { id } = ownRun(core, app, number);
  /*
   * Check the permission before the command is canceled, because the canceled run is saved later without a permission
   * check.
   */
  core.store.trail.demandRights();
  await core.runs.cancel(id, `${ctx.actor.username} canceled the run.`);
  return readRun(core, ctx, app, number);
}

export function presentRun(row: RunRow, app: { reference: string }): Run {
  return {
    id: row.id,
    app: app.reference,
    deployment: row.deployment_id,
    schedule: row.schedule_id,
    command: commandOf(row),
    timeout_s: row.timeout_s,
    status: row.status,
    exit_code: row.exit_code,
    timed_out: row.status === 'timed_out',
    error: row.error,
    error_code: row.error_code,
    by: row.asked_by,
    via: row.asked_via,
    created_at: timestamp(row.created_at),
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
  };
}

function runRequestOf({ actor }: OpContext, app: AppTarget, { command, timeout_s }: RunInput): RunRequest {
  return { appId: app.id, scheduleId: null, command, timeoutS: timeout_s, by: actor.username, via: actor.via };
}

/** Cancels a command after its client has disconnected. If the command has already ended, the error is ignored. */
async function leave(core: RunsDeps, id: number): Promise<void> {
  await core.runs.cancel(id, LEFT).catch((error: unknown) => {
    if (!(error instanceof DavitError)) throw error;
  });
}

function ownRun({ store }: RunsDeps, app: AppTarget, number: string | undefined): RunRow {
  const row = byPathNumber(number, (id) => runById(store, id));
  if (row?.app_id !== app.id)
    throw new DavitError('not_found', 'The app has no run with this ID. List the runs of the app.');
  return row;
}
