import type { RunStatus, Via, WorkProblemCode } from '@davit/api';
import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';
import type { Mounts } from './mount.ts';

const RUN = selectFrom(
  'runs',
  'id, app_id, schedule_id, deployment_id, command, timeout_s, status, exit_code, error, error_code, asked_by, asked_via, created_at, started_at, finished_at, limits, volumes',
);

/** Execution of a command in a separate container. The row does not contain the encrypted output of the command. */
export type RunRow = Row<typeof RUN>;

const OUTPUT = selectFrom('runs', 'output');
const NEWEST = select({ id: orNull(sql.integer('max(id)')) });
const COUNT = select({ n: sql.integer('count(*)') });

/** Parses the command of a run or a cron schedule. The JSON is not validated, because only the daemon writes it. */
export function commandOf({ command }: { command: string }): string[] {
  return JSON.parse(command) as string[];
}

/**
 * Parses the volumes of a run (execution of a command in a new container of an app). The JSON is not validated, because
 * only the daemon writes it.
 */
export function volumesOfRun({ volumes }: Pick<RunRow, 'volumes'>): Mounts['volumes'] {
  return volumes === null ? [] : (JSON.parse(volumes) as Mounts['volumes']);
}

export function runById(db: Reader, id: number): RunRow | undefined {
  return db.get(RUN.from('runs WHERE id = ?'), id);
}

/** Returns the encrypted output of a run (execution of a command), or `null` if no output was stored. */
export function outputOfRun(db: Reader, id: number): string | null {
  return db.get(OUTPUT.from('runs WHERE id = ?'), id)?.output ?? null;
}

/**
 * Returns the runs of an app, newest first.
 * @param before only runs with a lower id are returned. `null` means no limit.
 */
export function runsOfApp(db: Reader, appId: number, limit: number, before: number | null = null): RunRow[] {
  return db.all(
    RUN.from('runs WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/**
 * Returns the runs of a cron schedule, newest first.
 * @param before only runs with a lower id are returned. `null` means no limit.
 */
export function runsOfSchedule(db: Reader, scheduleId: number, limit: number, before: number | null = null): RunRow[] {
  return db.all(
    RUN.from('runs WHERE schedule_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    scheduleId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/** Returns the id of the newest run of all apps, or 0 if there is none. A run executes a command in a new container. */
export function lastRunId(db: Reader): number {
  return db.get(NEWEST.from('runs'))?.id ?? 0;
}

/** Returns all runs that are in progress, oldest first. A run executes a command in a new container of an app. */
export function runningRuns(db: Reader): RunRow[] {
  return db.all(RUN.from(`runs WHERE status = 'running' ORDER BY id`));
}

export function countRunning(db: Reader, appId: number): number {
  return db.get(COUNT.from("runs WHERE app_id = ? AND status = 'running'"), appId)?.n ?? 0;
}

/** Returns the run of a cron schedule that is in progress, or `undefined` if no run is in progress. */
export function runningOfSchedule(db: Reader, scheduleId: number): RunRow | undefined {
  return db.get(RUN.from(`runs WHERE schedule_id = ? AND status = 'running'`), scheduleId);
}

/**
 * Returns a run in progress that uses the image and settings of a deployment. Returns `undefined` if there is no such
 * run.
 */
export function runningOfDeployment(db: Reader, deploymentId: number): RunRow | undefined {
  return db.get(RUN.from(`runs WHERE deployment_id = ? AND status = 'running' ORDER BY id LIMIT 1`), deploymentId);
}

export interface NewRun {
  appId: number;
  scheduleId: number | null;
  deploymentId: number | null;
  command: readonly string[];
  timeoutS: number;
  askedBy: string;
  askedVia: Via;
  at: number;
  /** CPU, memory and process limits of the run's container, as JSON. `null` if the run has no container. */
  limits: string | null;
  volumes: Mounts['volumes'];
}

/**
 * Inserts a run and publishes an event.
 * @param skipped sentence that explains why the run is skipped, or `null` if the run is not skipped
 * @returns the id of the run
 */
export function insertRun(tx: Tx, run: NewRun, skipped: string | null = null): number {
  const status: RunStatus = skipped === null ? 'running' : 'skipped';
  const id = insert(tx, 'runs', {
    app_id: run.appId,
    schedule_id: run.scheduleId,
    deployment_id: run.deploymentId,
    command: JSON.stringify(run.command),
    timeout_s: run.timeoutS,
    status,
    error: skipped,
    asked_by: run.askedBy,
    asked_via: run.askedVia,
    limits: run.limits,
    volumes: JSON.stringify(run.volumes),
    created_at: run.at,
    started_at: skipped === null ? run.at : null,
    finished_at: skipped === null ? null : run.at,
  });
  tx.event({ kind: 'app', appId: run.appId, data: { change: 'runs', run: id, status } });
  return id;
}

export interface RunEnd {
  status: Exclude<RunStatus, 'running' | 'skipped'>;
  exitCode: number | null;
  sealedOutput: string | null;
  error: string | null;
  errorCode: WorkProblemCode | null;
  at: number;
}

/**
 * Records the end of a run, if the run is in progress. Then also publishes an event.
 * @returns whether the run was in progress
 */
export function endRun(tx: Tx, run: Pick<RunRow, 'id' | 'app_id'>, end: RunEnd): boolean {
  const { changes } = tx.run(
    "UPDATE runs SET status = ?, exit_code = ?, output = ?, error = ?, error_code = ?, finished_at = ? WHERE id = ? AND status = 'running'",
    end.status,
    end.exitCode,
    end.sealedOutput,
    end.error,
    end.errorCode,
    end.at,
    run.id,
  );
  if (changes > 0)
    tx.event({ kind: 'app', appId: run.app_id, data: { change: 'runs', run: run.id, status: end.status } });
  return changes > 0;
}

/**
 * Deletes the finished runs of an app, except for the newest `keep` runs. Runs of cron schedules are not deleted, and
 * are not part of the `keep` runs.
 */
export function pruneRunsOfApp(tx: Tx, appId: number, keep: number): void {
  tx.run(
    `DELETE FROM runs WHERE app_id = ?1 AND schedule_id IS NULL AND status <> 'running' AND id <=
       (SELECT id FROM runs WHERE app_id = ?1 AND schedule_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    appId,
    keep,
  );
}

/**
 * Deletes the finished runs of a cron schedule, except for the newest `keep` runs. Skipped runs have a separate limit,
 * because they must not replace runs with output.
 */
export function pruneRunsOfSchedule(tx: Tx, scheduleId: number, keep: number): void {
  for (const isSkipped of [0, 1]) {
    tx.run(
      `DELETE FROM runs WHERE schedule_id = ?1 AND (status = 'skipped') = ?2 AND status <> 'running' AND id <=
         (SELECT id FROM runs WHERE schedule_id = ?1 AND (status = 'skipped') = ?2 ORDER BY id DESC LIMIT 1 OFFSET ?3)`,
      scheduleId,
      isSkipped,
      keep,
    );
  }
}
