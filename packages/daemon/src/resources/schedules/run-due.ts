import { appReference, DavitError } from '@davit/api';
import { type AppRow, appById } from '../../db/tables/app.ts';
import type { AuditFacts } from '../../db/tables/audit-log.ts';
import { dueSchedules, moveSchedule, nextDue } from '../../db/tables/schedule.ts';
import { type CronTimes, cronTimes, followingTime } from '../../time/cron.ts';
import type { SchedulesDeps } from './deps.ts';
import { scheduledRunRequest } from './schedule.ts';

/**
 * Maximum delay of a scheduled run in milliseconds. If the daemon was stopped and the delay is longer, the run is
 * skipped.
 */
const CAUGHT_UP_MS = 60 * 60_000;

/** User name in the audit log for runs that a schedule has started. */
const BY = 'davit';

type Due = ReturnType<typeof dueSchedules>[number];

/**
 * Starts a run for each due schedule. If several times of a schedule have passed, starts only one run. If a run is
 * skipped, saves the reason. One SQLite transaction inserts the run and sets the schedule's next time, so a crash
 * cannot cause a second run.
 * @returns milliseconds until the next schedule is due, or `undefined` if there is none
 */
export async function runDueSchedules(core: SchedulesDeps): Promise<number | undefined> {
  if (nextDue(core.store) === null) return undefined;
  const times = await cronTimes();
  for (const row of dueSchedules(core.store, core.now())) runDue(core, row, times);
  const next = nextDue(core.store);
  return next === null ? undefined : Math.max(next - core.now(), 0);
}

function runDue(core: SchedulesDeps, row: Due, times: CronTimes): void {
  const now = core.now();
  const request = scheduledRunRequest(row, BY, 'schedule');
  const next = followingTime(times, row, now);
  const app = appById(core.store, row.app_id);
  // Skip the schedule, because its app was deleted while this loop was running.
  if (app === undefined) return;
  let why = whySkipped(app, row, now);
  const begin = () => core.runs.begin(request, undefined, (tx) => moveSchedule(tx, row.id, next));
  try {
    if (why === null) core.audit.during(auditFacts(app, row), begin);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    why = error.message;
  }
  const skipped = why;
  if (skipped === null) return;
  core.store.tx((tx) => {
    core.runs.skip(tx, request, skipped);
    moveSchedule(tx, row.id, next);
  });
}

function auditFacts(app: AppRow, { id }: Due): AuditFacts {
  return {
    actor: BY,
    key_id: null,
    key_name: null,
    via: 'schedule',
    ip: 'local',
    operation: 'runSchedule',
    target: `${appReference(app.project, app.environment, app.name)}/schedules/${id}`,
    project_id: app.project_id,
    status: 202,
    request_id: null,
  };
}

function whySkipped(app: AppRow, row: Due, now: number): string | null {
  if (app.stopped === 1) return 'The app was stopped.';
  if (now - row.next_run_at <= CAUGHT_UP_MS) return null;
  const at = new Date(row.next_run_at).toISOString();
  return `The instance was not running at ${at} or in the hour after.`;
}
