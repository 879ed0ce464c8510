/**
 * Archives the WAL (write-ahead log) of PostgreSQL databases with point-in-time recovery, and creates base backups of
 * these databases.
 */
import type { BackupDestination } from '@davit/api';
import type { Logger } from '@davit/service';
import { EngineUnavailable } from '../../../adapters/engine/errors.ts';
import { sentence } from '../../../app-spec/sentence.ts';
import type { Tx } from '../../../db/store.ts';
import { forgetBackup, lastEndedBackup, strandedBases } from '../../../db/tables/backup.ts';
import { allBackupSchedules, type BackupScheduleRow } from '../../../db/tables/backup-schedule.ts';
import { forgetSegment, strandedSegments } from '../../../db/tables/backup-segment.ts';
import { type DatabaseRow, databaseById, databaseReference } from '../../../db/tables/managed-database.ts';
import { openDeletionOf, openTaskOf } from '../../../db/tables/task.ts';
import type { TaskKindName } from '../../tasks/tasks.ts';
import type { BackupsDeps } from '../deps.ts';
import { whyNotOwn } from '../destination-check.ts';
import { asTaskFailure } from '../kinds/reasons.ts';
import { removeKept } from '../open.ts';
import { recordBackup } from '../take.ts';
import { collectLog } from './archive.ts';
import { noteLogTrouble } from './archive-problem.ts';
import { brokenAt, currentBases, isComplete } from './bases.ts';

/** Maximum age of the newest base backup in milliseconds. After this time, Davit creates another base backup. */
const BASE_MS = 7 * 86_400_000;
/**
 * Time limit in milliseconds for archiving the WAL (write-ahead log) that a base backup needs. The limit is long,
 * because a backup destination may be slow.
 */
const LOG_MS = 86_400_000;
/** Time in milliseconds until the next attempt after a failed base backup. */
const AGAIN_MS = 15 * 60_000;

const BY = 'davit';

/**
 * Time limit in milliseconds for archiving the WAL (write-ahead log) of all databases of one project. Davit starts
 * again when all projects have finished or reached this limit.
 */
const BUDGET_MS = 10 * 60_000;

/**
 * Archives the new WAL (write-ahead log) of all databases with point-in-time recovery. Projects are processed in
 * parallel, so a slow object store delays only its own project.
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

/**
 * Archives the WAL (write-ahead log) of the databases of a project one after another. If one database fails, the
 * function continues with the others.
 */
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
    // Divide the remaining time equally between the databases of the project that were not processed yet.
    const shareMs = (end - performance.now()) / (scheduled.length - i);
    const deadline = AbortSignal.timeout(Math.max(1, Math.floor(shareMs)));
    try {
      const archives = await collectLog(core, row, schedule, AbortSignal.any([signal, deadline]));
      noteLogTrouble(core.store, row.id, null, core.now());
      if (archives) takeBase(core, row, schedule);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof EngineUnavailable) throw error;
      const why = deadline.aborted ? NOT_IN_TIME : sentence((asTaskFailure(error) as Error).message);
      noteLogTrouble(core.store, row.id, why, core.now());
      log.warn(
        { database: databaseReference(row), error },
        'the transaction log of a database could not be archived; Davit tries again',
      );
    }
  }
}

const NOT_IN_TIME =
  'Archiving the transaction log took too long, because the database or the backup destination was too slow. Davit tries again automatically.';

interface Stranded {
  destination: string;
  key: string;
  forget: (tx: Tx) => void;
}

/**
 * Removes the archived WAL (write-ahead log) and the base backups of databases that were permanently removed. If a
 * removal fails, the next call repeats it.
 */
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
      log.warn({ error }, 'the archived transaction log of a deleted database could not be removed; Davit tries again');
    }
  };
  await Promise.all(
    Map.groupBy(stranded, ({ destination }) => destination)
      .values()
      .map(removeAll),
  );
}

/**
 * Returns whether the database is in use and has no unfinished task. A base backup is allowed as an unfinished task,
 * because Davit must archive WAL (write-ahead log) during a base backup.
 */
function isServing({ store }: BackupsDeps, row: DatabaseRow): boolean {
  const serves = row.deleted_at === null && row.state === 'made' && row.observed === 'ready';
  return serves && (openTaskOf(store, 'database', databaseReference(row))?.kind ?? BASE_KIND) === BASE_KIND;
}

const BASE_KIND = 'backup.base' satisfies TaskKindName;

/**
 * Returns whether WAL (write-ahead log) that a base backup needs is still missing in the archive after one day. The
 * PostgreSQL server may have deleted this WAL.
 */
function isLate({ store, now }: BackupsDeps, base: ReturnType<typeof currentBases>[number]): boolean {
  return now() - (base.finished_at ?? 0) > LOG_MS && !isComplete(store, base);
}

function takeBase(core: BackupsDeps, row: DatabaseRow, { destination }: BackupScheduleRow): void {
  if (openTaskOf(core.store, 'database', databaseReference(row)) !== undefined) return;
  if (openDeletionOf(core.store, row.project_id) !== undefined) return;
  const [newest] = currentBases(core.store, row);
  const isYoung = newest !== undefined && core.now() - newest.started_at < BASE_MS;
  if (isYoung && brokenAt(core.store, newest) === null && !isLate(core, newest)) return;
  const last = lastEndedBackup(core.store, row.id, 'base');
  if (last?.status === 'failed' && core.now() - last.started_at < AGAIN_MS) return;
  const backupDestination = JSON.parse(destination) as BackupDestination;
  if (whyNotOwn(core.store, row.project_id, backupDestination) !== null) return;
  core.tasks.start((tx) => {
    const request = {
      origin: 'schedule',
      kind: 'base',
      destination: backupDestination,
      by: BY,
      via: 'schedule',
    } as const;
    const { id } = recordBackup(core, tx, row, { ...request, taskId: null });
    const subject = { kind: 'database', name: databaseReference(row) } as const;
    const about = { subject, projectId: row.project_id, by: BY, via: 'schedule' } as const;
    return { ...about, kind: BASE_KIND, input: { backup: id } };
  });
}
