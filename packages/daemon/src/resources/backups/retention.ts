/**
 * What is kept of backups: the newest dumps of a schedule, the bases that points in time reach back over, and the pieces of
 * the log that those need. Only backups that succeeded count, so that no failure ever removes the last of them.
 */
import { type BackupRow, forgetBackup, forgetOldFailures, goodBackups } from '../../db/tables/backup.ts';
import { backupScheduleOf } from '../../db/tables/backup-schedule.ts';
import type { BackupsDeps } from './deps.ts';
import { taskReading } from './in-use.ts';
import { removeKept } from './open.ts';
import type { BaseFacts } from './wal/bases.ts';

/** Failures that somebody may still want to read about. */
const FAILURES_KEPT = 20;

/** Points in time reach back over so many bases. */
const BASES_KEPT = 2;

/**
 * What a schedule has more than it keeps, the oldest first.
 * @param good those of the database that succeeded, newest first
 */
export function expiredDumps(good: readonly BackupRow[], keep: number): BackupRow[] {
  const counted = good.filter(({ origin, kind }) => origin === 'schedule' && kind === 'dump');
  // One that was tried and could not be restored is no reason to let an older one go that could.
  const whole = counted.filter(({ verified_at, verify_error }) => verified_at === null || verify_error === null);
  const oldestKept = whole[keep - 1];
  return oldestKept === undefined ? [] : counted.filter(({ id }) => id < oldestKept.id).toReversed();
}

/**
 * The bases that no point in time needs, newest first.
 * @param bases those of the database, newest first
 * @param volume of the data that the database has now: a base of other data leads nowhere
 */
export function expiredBases<B extends Pick<BaseFacts, 'volume'>>(bases: readonly B[], volume: string): B[] {
  const kept = bases.filter((base) => base.volume === volume).slice(0, BASES_KEPT);
  return bases.filter((base) => !kept.includes(base));
}

/**
 * The pieces of the log that no base needs.
 * @param segments `name` is the volume of the data and the piece of its log
 * @param oldest the oldest base that is kept; undefined if there is none yet
 */
export function expiredSegments<S extends { name: string }>(
  segments: readonly S[],
  volume: string,
  oldest: Pick<BaseFacts, 'from'> | undefined,
): S[] {
  return segments.filter(({ name }) => {
    const [ofVolume, piece = ''] = name.split('/');
    if (ofVolume !== volume) return true;
    return oldest !== undefined && piece < oldest.from && !piece.endsWith('.history');
  });
}

/**
 * Removes backups, except those that a task reads: they are removed after the next one.
 * @param onFailure is told why one stays
 */
export async function removeExpired(
  core: BackupsDeps,
  expired: readonly BackupRow[],
  onFailure: (row: BackupRow, error: Error) => void,
  signal?: AbortSignal,
): Promise<void> {
  for (const row of expired) {
    if (taskReading(core, core.store, row.id) !== undefined) continue;
    try {
      await removeKept(core, row, signal);
    } catch (error) {
      onFailure(row, error as Error);
      continue;
    }
    core.store.tx((tx) => forgetBackup(tx, row));
  }
}

/** Removes what a schedule has more than it keeps. What cannot be removed now is removed after the next one. */
export async function keepNewest(core: BackupsDeps, databaseId: number, log: (line: string) => void): Promise<void> {
  const schedule = backupScheduleOf(core.store, databaseId);
  if (schedule === undefined) return;
  await removeExpired(core, expiredDumps(goodBackups(core.store, databaseId), schedule.keep), ({ id }, error) =>
    log(`Backup ${id} could not be removed: ${error.message}`),
  );
  core.store.tx((tx) => forgetOldFailures(tx, databaseId, FAILURES_KEPT));
}
