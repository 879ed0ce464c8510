import type { RunStatus, Via, WorkProblemCode } from '@davit/api';
import { orNull, type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert } from '../write.ts';

const RUN = selectFrom(
  'runs',
  'id, app_id, schedule_id, deployment_id, command, timeout_s, status, exit_code, error, error_code, asked_by, asked_via, created_at, started_at, finished_at, limits',
);

/** A run without what it wrote, which is sealed and read alone. */
export type RunRow = Row<typeof RUN>;

const OUTPUT = selectFrom('runs', 'output');
const NEWEST = select({ id: orNull(sql.integer('max(id)')) });
const COUNT = select({ n: sql.integer('count(*)') });

/** What a run or a schedule runs: written by this program from a validated command, and by nobody else. */
export function commandOf({ command }: { command: string }): string[] {
  return JSON.parse(command) as string[];
}

export function runById(db: Reader, id: number): RunRow | undefined {
  return db.get(RUN.from('runs WHERE id = ?'), id);
}

/** What it wrote, sealed; null when nothing was kept. */
export function outputOfRun(db: Reader, id: number): string | null {
  return db.get(OUTPUT.from('runs WHERE id = ?'), id)?.output ?? null;
}

/** Newest first, those before a number when one is given. */
export function runsOfApp(db: Reader, appId: number, limit: number, before: number | null = null): RunRow[] {
  return db.all(
    RUN.from('runs WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/** Newest first, those before a number when one is given. */
export function runsOfSchedule(db: Reader, scheduleId: number, limit: number, before: number | null = null): RunRow[] {
  return db.all(
    RUN.from('runs WHERE schedule_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    scheduleId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

/** The number of the newest one of all apps; 0 when there has been none. */
export function lastRunId(db: Reader): number {
  return db.get(NEWEST.from('runs'))?.id ?? 0;
}

/** Those that are going, oldest first. */
export function runningRuns(db: Reader): RunRow[] {
  return db.all(RUN.from(`runs WHERE status = 'running' ORDER BY id`));
}

/** How many runs of an app are going. */
export function countRunning(db: Reader, appId: number): number {
  return db.get(COUNT.from("runs WHERE app_id = ? AND status = 'running'"), appId)?.n ?? 0;
}

/** The run of a schedule that is going; undefined when none is. */
export function runningOfSchedule(db: Reader, scheduleId: number): RunRow | undefined {
  return db.get(RUN.from(`runs WHERE schedule_id = ? AND status = 'running'`), scheduleId);
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
  /** JSON of the limits of its container; null: it has none. */
  limits: string | null;
}

/** @param skipped why it is not run at all, in a sentence; null: it begins */
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

/** Ends a run that is going: one that has ended keeps its end. Answers whether it applied. */
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

/** Forgets the oldest runs of an app beyond the bound; those of its schedules are counted by schedule. */
export function pruneRunsOfApp(tx: Tx, appId: number, keep: number): void {
  tx.run(
    `DELETE FROM runs WHERE app_id = ?1 AND schedule_id IS NULL AND status <> 'running' AND id <=
       (SELECT id FROM runs WHERE app_id = ?1 AND schedule_id IS NULL ORDER BY id DESC LIMIT 1 OFFSET ?2)`,
    appId,
    keep,
  );
}

/** Forgets the oldest runs of a schedule beyond the bound. What was skipped counts apart, so as not to push the others out. */
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
