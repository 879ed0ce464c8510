/** Computes when the newest backup of a backup schedule must be verified. */
import type { Reader } from '../../db/store.ts';
import type { BackupRow } from '../../db/tables/backup.ts';
import type { BackupScheduleRow } from '../../db/tables/backup-schedule.ts';
import { openTaskOf } from '../../db/tables/task.ts';

const DAY_MS = 86_400_000;
/**
 * Time in milliseconds after which the verification of a backup is overdue. It is counted from the time when the
 * verification was due.
 */
const LATE_MS = DAY_MS;

type Verified = Pick<BackupScheduleRow, 'verify_every_days' | 'updated_at'>;

/**
 * Returns when a verification became due, in milliseconds since the epoch, or `null` if none is due.
 * @param dumps successful dumps, newest first
 */
export function verificationDueSince(
  { verify_every_days, updated_at }: Verified,
  dumps: readonly BackupRow[],
  now: number,
): number | null {
  if (verify_every_days === null || dumps.length === 0) return null;
  // Ignore verifications with a time in the future. Davit saved such a time while the system clock was wrong.
  const times = dumps.map(({ verified_at }) => verified_at ?? 0).filter((at) => at <= now);
  const due = Math.max(0, ...times) + verify_every_days * DAY_MS;
  return now < due ? null : Math.max(due, updated_at);
}

/**
 * Returns when an overdue verification became due, in milliseconds since the epoch, or `null`. A running verification
 * is not overdue.
 */
export function verificationOverdueSince(
  db: Reader,
  schedule: Verified,
  dumps: readonly BackupRow[],
  now: number,
): number | null {
  const since = verificationDueSince(schedule, dumps, now);
  if (since === null || now - since < LATE_MS) return null;
  return openTaskOf(db, 'backup', String(dumps[0]?.id)) === undefined ? since : null;
}
