/** From when to when a PostgreSQL can be restored to any moment. */
import { type BackupCoverage, timestamp } from '@davit/api';
import { oldestUsable } from '../backups/wal/bases.ts';
import type { BackupScheduleRow } from '../store/backup-schedule.ts';
import { lastSegment } from '../store/backup-segment.ts';
import type { DatabaseRow } from '../store/managed-database.ts';
import type { Reader } from '../store/store.ts';

/** Null where its log is not kept. */
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
    problem: from === null ? 'There is no base yet to count points in time from: wait for the first one.' : null,
  };
}
