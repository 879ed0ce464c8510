/** Keeps the log of the databases whose schedules say so, and the bases that it leads on from. */
import type { BackupDestination } from '@davit/api';
import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../../../adapters/engine/errors.ts';
import { sentence } from '../../../app-spec/sentence.ts';
import type { Tx } from '../../../db/store.ts';
import { forgetBackup, lastEndedBackup, strandedBases } from '../../../db/tables/backup.ts';
import { allBackupSchedules, type BackupScheduleRow } from '../../../db/tables/backup-schedule.ts';
import { forgetSegment, strandedSegments } from '../../../db/tables/backup-segment.ts';
import { type DatabaseRow, databaseById, databaseReference } from '../../../db/tables/managed-database.ts';
import { openTaskOf } from '../../../db/tables/task.ts';
import type { BackupsDeps } from '../deps.ts';
import { whyNotOwn } from '../destination-check.ts';
import { asTaskFailure } from '../kinds/reasons.ts';
import { removeKept } from '../open.ts';
import { recordBackup } from '../take.ts';
import { collectLog } from './archive.ts';
import { noteLogTrouble } from './archive-problem.ts';
import { brokenAt, usableBases } from './bases.ts';

/** How old a base gets until the next one is taken. */
const BASE_MS = 7 * 86_400_000;
/** After a base that failed. */
const AGAIN_MS = 15 * 60_000;

const BY = 'davit';

/** How long one pass may work for a project. The next pass begins when the slowest project has had its time. */
const BUDGET_MS = 10 * 60_000;

/**
 * One pass over all databases. Projects do not wait for each other, and each has a limited time: a store that is slow, or
 * never answers, must not hold up the logs of other projects.
 */
export async function keepLogs(
  core: BackupsDeps,
  log: Logger,
  signal: AbortSignal,
  budgetMs: number = BUDGET_MS,
): Promise<void> {
  const schedules = allBackupSchedules(core.store).flatMap((schedule) => {
    const row = databaseById(core.store, schedule.database_id);
    return schedule.point_in_time === 1 && row !== undefined ? [{ schedule, row }] : [];
  });
  const projects = Map.groupBy(schedules, ({ row }) => row.project_id).values();
  const passes = projects.map((scheduled) => keepOfProject({ core, log, budgetMs }, scheduled, signal));
  const ended = await Promise.allSettled([removeStranded({ core, log, budgetMs }, signal), ...passes]);
  const failed = ended.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

interface Pass {
  core: BackupsDeps;
  log: Logger;
  budgetMs: number;
}

interface Scheduled {
  schedule: BackupScheduleRow;
  row: DatabaseRow;
}

/** The databases of a project, one after another. A failure of one does not stop the others. */
async function keepOfProject(
  { core, log, budgetMs }: Pass,
  scheduled: readonly Scheduled[],
  signal: AbortSignal,
): Promise<void> {
  const end = performance.now() + budgetMs;
  for (const [
    i,
    {
      schedule,
      row: { id },
    },
  ] of scheduled.entries()) {
    signal.throwIfAborted();
    const row = databaseById(core.store, id);
    if (row === undefined || !isServing(core, row)) continue;
    // What the databases before it did not use is shared by the rest.
    const shareMs = (end - performance.now()) / (scheduled.length - i);
    const deadline = AbortSignal.timeout(Math.max(1, Math.floor(shareMs)));
    try {
      await collectLog(core, row, schedule, AbortSignal.any([signal, deadline]));
      noteLogTrouble(core.store, row.id, null, core.now());
      takeBase(core, row, schedule);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof EngineUnavailable) throw error;
      const why = deadline.aborted ? NOT_IN_TIME : sentence((asTaskFailure(error) as Error).message);
      noteLogTrouble(core.store, row.id, why, core.now());
      log.warn({ database: databaseReference(row), error }, 'the log of a database could not be kept: it waits');
    }
  }
}

const NOT_IN_TIME = 'The database or the destination of its backups was too slow; Davit tries again in the next pass.';

interface Stranded {
  destination: string;
  key: string;
  forget: (tx: Tx) => void;
}

/** Removes what is left of databases that are gone for good. A destination that fails is tried again in the next pass. */
async function removeStranded({ core, log, budgetMs }: Pass, signal: AbortSignal): Promise<void> {
  const { store } = core;
  const stranded: Stranded[] = [
    ...strandedSegments(store).map((segment) => ({ ...segment, forget: (tx: Tx) => forgetSegment(tx, segment) })),
    ...strandedBases(store).map((base) => ({ ...base, forget: (tx: Tx) => forgetBackup(tx, base) })),
  ];
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)]);
  const removeAll = async (kept: readonly Stranded[]) => {
    try {
      for (const { forget, ...one } of kept) {
        await removeKept(core, one, deadline);
        store.tx(forget);
      }
    } catch (error) {
      log.warn({ error }, 'what was kept of the log of a removed database could not be removed: it is tried again');
    }
  };
  await Promise.all(
    Map.groupBy(stranded, ({ destination }) => destination)
      .values()
      .map(removeAll),
  );
}

/** A task has it otherwise. */
function isServing({ store }: BackupsDeps, row: DatabaseRow): boolean {
  const serves = row.deleted_at === null && row.state === 'made' && row.observed === 'ready';
  return serves && openTaskOf(store, 'database', databaseReference(row)) === undefined;
}

function takeBase(core: BackupsDeps, row: DatabaseRow, { destination }: BackupScheduleRow): void {
  const [newest] = usableBases(core.store, row);
  const isYoung = newest !== undefined && core.now() - newest.started_at < BASE_MS;
  if (isYoung && brokenAt(core.store, newest) === null) return;
  const last = lastEndedBackup(core.store, row.id, 'base');
  if (last?.status === 'failed' && core.now() - last.started_at < AGAIN_MS) return;
  const place = JSON.parse(destination) as BackupDestination;
  if (whyNotOwn(core.store, row.project_id, place) !== null) return;
  core.tasks.start((tx) => {
    const asked = { origin: 'schedule', kind: 'base', destination: place, by: BY, via: 'schedule' } as const;
    const { id } = recordBackup(core, tx, row, { ...asked, taskId: null });
    const subject = { kind: 'database', name: databaseReference(row) } as const;
    const about = { subject, projectId: row.project_id, by: BY, via: 'schedule' } as const;
    return { ...about, kind: 'backup.base', input: { backup: id } };
  });
}
