import {
  DavitError,
  type Run,
  type Schedule,
  ScheduleCreate,
  type SchedulePatch,
  type ScheduleTimes,
  timestamp,
  type Via,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Reader } from '../../db/store.ts';
import { commandOf, pruneRunsOfApp, runsOfSchedule } from '../../db/tables/run.ts';
import {
  changeSchedule,
  deleteSchedule,
  insertSchedule,
  type ScheduleFields,
  type ScheduleRow,
  scheduleById,
  schedulesOfApp,
} from '../../db/tables/schedule.ts';
import { fieldError } from '../../input/field-error.ts';
import { mergePatch } from '../../input/merge-patch.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, numberKey, type Page, type PageQuery, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { cronTimes } from '../../time/cron.ts';
import { presentRun, readRun } from '../runs/run.ts';
import type { SchedulesDeps } from './deps.ts';

const MOST = 50;

/**
 * Returns the schedules of an app, oldest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listSchedules(
  { store }: SchedulesDeps,
  _ctx: OpContext,
  app: AppTarget,
  query: PageQuery,
): Page<Schedule> {
  const page = pageOf(schedulesOfApp(store, app.id), (row) => numberKey(row.id), query);
  return mapPage(page, (row) => presentSchedule(store, row, app));
}

/** @throws DavitError not_found if the app has no schedule with this id */
export function readSchedule(
  { store }: SchedulesDeps,
  _ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Schedule {
  return presentSchedule(store, ownSchedule(store, app, number), app);
}

const TIMES_SHOWN = 5;

/**
 * Returns the next five times of a cron expression, earliest first.
 * @throws DavitError invalid_input for a cron expression without a future time
 */
export async function nextTimes(
  { now }: SchedulesDeps,
  { cron, time_zone }: Pick<ScheduleCreate, 'cron' | 'time_zone'>,
): Promise<ScheduleTimes> {
  const times = await cronTimes();
  const found: number[] = [];
  while (found.length < TIMES_SHOWN) {
    const at = found.at(-1);
    try {
      found.push(times.next(cron, time_zone, at ?? now()));
    } catch (error) {
      // The cron expression has no later times, so return the times that were found so far.
      if (at !== undefined && error instanceof DavitError) break;
      throw error;
    }
  }
  return { times: found.map((at) => timestamp(at)) };
}

/**
 * Creates a schedule for an app.
 * @throws DavitError invalid_input for a cron expression without a future time; conflict if the app has the maximum
 * number of schedules
 */
export async function createSchedule(
  core: SchedulesDeps,
  ctx: OpContext,
  app: AppTarget,
  input: ScheduleCreate,
): Promise<Schedule> {
  const fields = await withNextTime(core, fieldsOf(input));
  const id = core.store.tx((tx) => {
    currentApp(tx, app.id);
    if (schedulesOfApp(tx, app.id).length >= MOST) {
      throw new DavitError('conflict', `The app has ${MOST} schedules, which is the limit. Remove one first.`);
    }
    return insertSchedule(tx, app.id, ctx.actor.username, fields, core.now());
  });
  core.nudgeSchedules();
  return readSchedule(core, ctx, app, String(id));
}

/**
 * Changes a schedule, and calculates the time of its next run.
 * @throws DavitError not_found, invalid_input
 */
export async function patchSchedule(
  core: SchedulesDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  patch: SchedulePatch,
): Promise<Schedule> {
  const times = await cronTimes();
  core.store.tx((tx) => {
    const row = ownSchedule(tx, app, number);
    const fields = fieldsOf(patched(row, patch));
    const isDue = row.next_run_at !== null && row.next_run_at <= core.now();
    const isTimed = row.cron === fields.cron && row.time_zone === fields.timeZone && fields.enabled;
    /*
     * A run that is already due must not be skipped. Keep the time of the run if the patch does not change the times of
     * the schedule.
     */
    const nextRunAt = isTimed && isDue ? row.next_run_at : nextRun(times, fields, core.now());
    changeSchedule(tx, row, { ...fields, nextRunAt }, core.now());
  });
  core.nudgeSchedules();
  return readSchedule(core, ctx, app, number);
}

/**
 * Deletes a schedule. If a run of the schedule is in progress, the run continues.
 * @throws DavitError not_found
 */
export function removeSchedule(core: SchedulesDeps, _ctx: OpContext, app: AppTarget, number: string | undefined): void {
  core.store.tx((tx) => {
    deleteSchedule(tx, ownSchedule(tx, app, number));
    /*
     * The runs of the deleted schedule now belong to the app. The app may therefore have too many runs, so delete its
     * oldest runs.
     */
    pruneRunsOfApp(tx, app.id, core.settings().runs.per_app);
  });
}

/**
 * Starts a run of the schedule now. The time of the next scheduled run does not change.
 * @throws DavitError not_found, conflict, unavailable
 */
export function runScheduleNow(core: SchedulesDeps, ctx: OpContext, app: AppTarget, number: string | undefined): Run {
  const row = ownSchedule(core.store, app, number);
  const { username, via } = ctx.actor;
  return readRun(core, ctx, app, String(core.runs.begin(scheduledRunRequest(row, username, via))));
}

/**
 * Returns the runs of a schedule, newest first.
 * @throws DavitError not_found; invalid_input for an invalid cursor
 */
export function listScheduleRuns(
  { store }: SchedulesDeps,
  _ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  query: PageQuery,
): Page<Run> {
  const { id } = ownSchedule(store, app, number);
  const read = (limit: number, before: number | null) => runsOfSchedule(store, id, limit, before);
  return mapPage(
    numberedPage(query, (row) => row.id, read),
    (row) => presentRun(row, app),
  );
}

/**
 * Returns the request for a run of a schedule. It contains the app, the command, the timeout, and who started the run.
 */
export function scheduledRunRequest(row: ScheduleRow, by: string, via: Via) {
  const { app_id: appId, id: scheduleId, timeout_s: timeoutS } = row;
  return { appId, scheduleId, command: commandOf(row), timeoutS, by, via };
}

function presentSchedule(db: Reader, row: ScheduleRow, app: AppTarget): Schedule {
  const [last] = runsOfSchedule(db, row.id, 1);
  return {
    id: row.id,
    app: app.reference,
    ...settingsOf(row),
    next_run_at: timestamp(row.next_run_at),
    last_run: last === undefined ? null : presentRun(last, app),
    created_by: row.created_by,
    created_at: timestamp(row.created_at),
    updated_at: timestamp(row.updated_at),
  };
}

type Timed = Omit<ScheduleFields, 'nextRunAt'>;

function fieldsOf({ name, cron, time_zone, command, timeout_s, enabled }: ScheduleCreate): Timed {
  return { name, cron, timeZone: time_zone, command, timeoutS: timeout_s, enabled };
}

function settingsOf(row: ScheduleRow): ScheduleCreate {
  return {
    name: row.name,
    cron: row.cron,
    time_zone: row.time_zone,
    command: commandOf(row),
    timeout_s: row.timeout_s,
    enabled: row.enabled === 1,
  };
}

/**
 * Applies a JSON merge patch to a schedule. A field that is `null` in the patch gets its default value.
 * @throws DavitError invalid_input
 */
function patched(row: ScheduleRow, patch: SchedulePatch): ScheduleCreate {
  const merged = mergePatch(settingsOf(row), patch);
  const parsed = ScheduleCreate.safeParse(merged);
  if (!parsed.success) throw fieldError(parsed.error, merged);
  return parsed.data;
}

async function withNextTime(core: SchedulesDeps, fields: Timed): Promise<ScheduleFields> {
  return { ...fields, nextRunAt: nextRun(await cronTimes(), fields, core.now()) };
}

/**
 * Returns the next time of a schedule, or `null` for a disabled schedule. Validates the cron expression even if the
 * schedule is disabled.
 */
function nextRun(times: Awaited<ReturnType<typeof cronTimes>>, fields: Timed, now: number): number | null {
  const next = times.next(fields.cron, fields.timeZone, now);
  return fields.enabled ? next : null;
}

function ownSchedule(db: Reader, app: AppTarget, number: string | undefined): ScheduleRow {
  const row = byPathNumber(number, (id) => scheduleById(db, id));
  if (row?.app_id !== app.id)
    throw new DavitError('not_found', 'The app does not have this schedule. List its schedules.');
  return row;
}
