/**
 * Selects the old backups that Davit removes. The maximum number of backups does not include failed backups. So a
 * failed backup never causes the removal of the last successful backup.
 */
import { type BackupRow, forgetBackup, forgetOldFailures, goodBackups } from '../../db/tables/backup.ts';
import { backupScheduleOf } from '../../db/tables/backup-schedule.ts';
import type { BackupsDeps } from './deps.ts';
import { taskReading } from './in-use.ts';
import { removeKept } from './open.ts';
import type { BaseFacts } from './wal/bases.ts';

/** Number of failed backups to keep for each database, so that users can read their errors. */
const FAILURES_KEPT = 20;

/** Number of base backups to keep for point-in-time recovery. */
const BASES_KEPT = 2;

/**
 * Returns the scheduled dumps that Davit can remove, oldest first.
 * @param good successful backups, newest first
 * @param keep maximum number of dumps to keep
 */
export function expiredDumps(good: readonly BackupRow[], keep: number): BackupRow[] {
  const dumps = good.filter(({ kind }) => kind === 'dump');
  const newestVerified = dumps.find(isVerified);
  const counted = dumps.filter(({ origin }) => origin === 'schedule');
  /*
   * The maximum number includes only dumps whose verification did not fail. Otherwise, Davit could keep a damaged dump
   * and remove a good dump.
   */
  const oldestKept = counted.filter(({ verify_error }) => verify_error === null)[keep - 1];
  if (oldestKept === undefined) return [];
  // Also keep the newest dump that was verified, because later dumps may be damaged.
  return counted.filter((dump) => dump.id < oldestKept.id && dump !== newestVerified).toReversed();
}

export function isVerified({ verified_at, verify_error }: Pick<BackupRow, 'verified_at' | 'verify_error'>): boolean {
  return verified_at !== null && verify_error === null;
}

/**
 * Returns the base backups that point-in-time recovery no longer needs.
 * @param bases base backups, newest first
 * @param isUsable whether all WAL (write-ahead log) that the base backup needs is archived
 */
export function expiredBases<B extends Pick<BaseFacts, 'volume'>>(
  bases: readonly B[],
  volume: string,
  isUsable: (base: B) => boolean,
): B[] {
  // Ignore base backups of earlier volumes, because point-in-time recovery does not use these base backups.
  const current = bases.filter((base) => base.volume === volume);
  const kept = current.filter(isUsable).slice(0, BASES_KEPT);
  /*
   * Keep the newest base backup, even if its WAL is not archived yet. Also keep the newest base backups that a recovery
   * can use (`kept`).
   */
  return bases.filter((base) => base !== current[0] && !kept.includes(base));
}

/**
 * Returns the archived WAL segments (parts of PostgreSQL's write-ahead log) that no base backup needs.
 * @param oldest oldest base backup to keep, or `undefined` if there is no base backup
 */
export function expiredSegments<S extends { name: string }>(
  segments: readonly S[],
  volume: string,
  oldest: Pick<BaseFacts, 'from'> | undefined,
): S[] {
  return segments.filter(({ name }) => {
    // The name of an archived segment has the form `volume/segment`.
    const [ofVolume, piece = ''] = name.split('/');
    if (ofVolume !== volume) return true;
    return oldest !== undefined && piece < oldest.from && !piece.endsWith('.history');
  });
}

/**
 * Removes backups, except a backup that a running task reads.
 * @param onFailure called with the error if a backup cannot be removed
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

/**
 * Removes the oldest dumps of a database if the database has more dumps than its backup schedule allows. If the removal
 * of a dump fails, the next call tries it again.
 */
export async function keepNewest(core: BackupsDeps, databaseId: number, log: (line: string) => void): Promise<void> {
  const schedule = backupScheduleOf(core.store, databaseId);
  if (schedule === undefined) return;
  await removeExpired(core, expiredDumps(goodBackups(core.store, databaseId), schedule.keep), ({ id }, error) =>
    log(`Backup ${id} could not be deleted; Davit tries again after the next backup. ${error.message}`),
  );
  core.store.tx((tx) => forgetOldFailures(tx, databaseId, FAILURES_KEPT));
}
