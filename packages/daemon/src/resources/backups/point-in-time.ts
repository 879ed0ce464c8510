/**
 * Calculates the time range of point-in-time recovery. Davit can restore a PostgreSQL database to any point in time in
 * this range.
 */
import { type BackupCoverage, timestamp } from '@davit/api';
import { sentence } from '../../app-spec/sentence.ts';
import type { Reader } from '../../db/store.ts';
import { lastEndedBackup } from '../../db/tables/backup.ts';
import type { BackupScheduleRow } from '../../db/tables/backup-schedule.ts';
import { lastSegment } from '../../db/tables/backup-segment.ts';
import type { DatabaseRow } from '../../db/tables/managed-database.ts';
import { logTroubleOf } from './wal/archive-problem.ts';
import { brokenAt, oldestUsable, usableBases } from './wal/bases.ts';

/**
 * Returns the time range of point-in-time recovery for a database. If point-in-time recovery is not enabled, returns
 * `null`.
 */
export function pointInTimeOf(
  db: Reader,
  row: DatabaseRow,
  schedule: BackupScheduleRow | undefined,
): BackupCoverage['point_in_time'] {
  if (schedule?.point_in_time !== 1) return null;
  const base = oldestUsable(db, row);
  const last = lastSegment(db, row);
  const from = base?.finished_at ?? null;
  const to = last === undefined || from === null ? null : Math.max(last.at, from);
  return {
    from: timestamp(from),
    to: timestamp(to),
    problem: problemOf(db, row, from),
  };
}

/**
 * Returns a warning for users if point-in-time recovery does not work for new data. If there is no problem, returns
 * `null`.
 */
export function pointInTimeTrouble(db: Reader, row: DatabaseRow): string | null {
  const trouble = logTroubleOf(db, row.id);
  if (trouble !== undefined)
    return `The transaction log has not been archived since ${timestamp(trouble.since)} and fills the disk of the database. ${trouble.why}`;
  const base = lastEndedBackup(db, row.id, 'base');
  if (base?.status !== 'failed') return null;
  return `The last base backup for point-in-time recovery failed. ${sentence(base.error ?? '')}`;
}

function problemOf(db: Reader, row: DatabaseRow, from: number | null): string | null {
  const trouble = pointInTimeTrouble(db, row);
  if (trouble !== null) return trouble;
  if (from === null) return 'Point-in-time recovery needs a base backup, and none exists yet. Wait for the first one.';
  const bases = usableBases(db, row);
  for (const [index, base] of bases.entries()) {
    const broken = brokenAt(db, base);
    if (broken === null) continue;
    const next = bases[index - 1]?.finished_at ?? null;
    return next === null
      ? `A part of the transaction log is missing. Until the next base backup, the database cannot be restored to a point in time after ${timestamp(broken)}.`
      : `A part of the transaction log is missing, so the database cannot be restored to a point in time from ${timestamp(broken)} to ${timestamp(next)}.`;
  }
  return null;
}
