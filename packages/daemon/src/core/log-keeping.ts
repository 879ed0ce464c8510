/** Keeps the log of the databases whose schedules say so, and the bases that it leads on from. */
import type { BackupDestination } from '@davit/api';
import type { Logger } from '@davit/service';
import { reasonOf } from '../backups/kinds/reasons.ts';
import { removeKept } from '../backups/open.ts';
import { recordBackup } from '../backups/take.ts';
import { collectLog } from '../backups/wal/archive.ts';
import { brokenAt, usableBases } from '../backups/wal/bases.ts';
import { EngineUnavailable } from '../engine/errors.ts';
import { sentence } from '../release/sentence.ts';
import { forgetBackup, lastEndedBackup, strandedBases } from '../store/backup.ts';
import { allBackupSchedules, type BackupScheduleRow } from '../store/backup-schedule.ts';
import { forgetSegment, strandedSegments } from '../store/backup-segment.ts';
import { type DatabaseRow, databaseById, databaseReference } from '../store/managed-database.ts';
import type { Tx } from '../store/store.ts';
import { openTaskOf } from '../store/task.ts';
import type { Core } from './core.ts';
import { noteLogTrouble } from './log-trouble.ts';

/** How old a base gets until the next one is taken. */
const BASE_MS = 7 * 86_400_000;
/** After a base that failed. */
const AGAIN_MS = 15 * 60_000;

const BY = 'davit';

/** One pass over all of them. One that cannot be helped keeps none of the others. */
export async function keepLogs(core: Core, log: Logger, signal: AbortSignal): Promise<void> {
  await letGoOfStranded(core, log);
  for (const schedule of allBackupSchedules(core.store)) {
    const row = databaseById(core.store, schedule.database_id);
    if (schedule.point_in_time !== 1 || row === undefined || !isServing(core, row)) continue;
    signal.throwIfAborted();
    try {
      await collectLog(core, row, schedule, signal);
      noteLogTrouble(core.store, row.id, null, core.now());
      takeBase(core, row, schedule);
    } catch (error) {
      if (signal.aborted || error instanceof EngineUnavailable) throw error;
      noteLogTrouble(core.store, row.id, sentence((reasonOf(error) as Error).message), core.now());
      log.warn({ database: databaseReference(row), error }, 'the log of a database could not be kept: it waits');
    }
  }
}

/** What is left of databases that are gone for good. */
async function letGoOfStranded(core: Core, log: Logger): Promise<void> {
  const { store } = core;
  const away = new Set<string>();
  const remove = async (kept: { destination: string; key: string }, forget: (tx: Tx) => void) => {
    if (away.has(kept.destination)) return;
    try {
      await removeKept(core, kept);
      store.tx(forget);
    } catch (error) {
      // What is kept elsewhere is removed all the same.
      away.add(kept.destination);
      log.warn({ error }, 'what was kept of the log of a removed database could not be removed: it is tried again');
    }
  };
  for (const segment of strandedSegments(store)) await remove(segment, (tx) => forgetSegment(tx, segment));
  for (const base of strandedBases(store)) await remove(base, (tx) => forgetBackup(tx, base));
}

/** A task has it otherwise. */
function isServing({ store }: Core, row: DatabaseRow): boolean {
  const serves = row.deleted_at === null && row.state === 'made' && row.observed === 'ready';
  return serves && openTaskOf(store, 'database', databaseReference(row)) === undefined;
}

function takeBase(core: Core, row: DatabaseRow, { destination }: BackupScheduleRow): void {
  const [newest] = usableBases(core.store, row);
  const isYoung = newest !== undefined && core.now() - newest.started_at < BASE_MS;
  if (isYoung && brokenAt(core.store, newest) === null) return;
  const last = lastEndedBackup(core.store, row.id, 'base');
  if (last?.status === 'failed' && core.now() - last.started_at < AGAIN_MS) return;
  core.tasks.start((tx) => {
    const place = JSON.parse(destination) as BackupDestination;
    const asked = { origin: 'schedule', kind: 'base', destination: place, by: BY, via: 'schedule' } as const;
    const { id } = recordBackup(core, tx, row, { ...asked, taskId: null });
    const subject = { kind: 'database', name: databaseReference(row) } as const;
    const about = { subject, projectId: row.project_id, by: BY, via: 'schedule' } as const;
    return { ...about, kind: 'backup.base', input: { backup: id } };
  });
}
