/** How many backups of a schedule are kept: only good ones count, so that no failure ever removes the last of them. */
import type { BackupDestination as Kept } from '@davit/api';
import type { DatabaseBase } from '../databases/base.ts';
import { type BackupRow, forgetBackup, forgetOldFailures, goodBackups } from '../store/backup.ts';
import { backupScheduleOf } from '../store/backup-schedule.ts';
import { destinationOf } from './destinations.ts';
import { taskReading } from './in-use.ts';

/** Failures that somebody may still want to read about. */
const FAILURES_KEPT = 20;

/**
 * What a schedule has more than it keeps, the oldest first.
 * @param good those of the database that succeeded, newest first
 */
export function superfluous(good: readonly BackupRow[], keep: number): BackupRow[] {
  const counted = good.filter(({ origin, kind }) => origin === 'schedule' && kind === 'dump');
  // One that was tried and could not be restored is no reason to let an older one go that could.
  const whole = counted.filter(({ verified_at, verify_error }) => verified_at === null || verify_error === null);
  const oldestKept = whole[keep - 1];
  return oldestKept === undefined ? [] : counted.filter(({ id }) => id < oldestKept.id).toReversed();
}

/** Removes what a schedule has more than it keeps. What cannot be removed now is removed after the next one. */
export async function keepNewest(core: DatabaseBase, databaseId: number, log: (line: string) => void): Promise<void> {
  const schedule = backupScheduleOf(core.store, databaseId);
  if (schedule === undefined) return;
  for (const row of superfluous(goodBackups(core.store, databaseId), schedule.keep)) {
    if (taskReading(core, core.store, row.id) !== undefined) continue;
    try {
      await (await destinationOf(core, JSON.parse(row.destination) as Kept)).delete(row.key);
    } catch (error) {
      log(`Backup ${row.id} could not be removed: ${(error as Error).message}`);
      continue;
    }
    core.store.tx((tx) => forgetBackup(tx, row));
  }
  core.store.tx((tx) => forgetOldFailures(tx, databaseId, FAILURES_KEPT));
}
