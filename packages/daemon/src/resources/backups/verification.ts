/** Calculates when Davit must verify the newest backup of a backup schedule. */
import type { Reader } from '../../db/store.ts';
import type { BackupRow } from '../../db/tables/backup.ts';
import type { BackupScheduleRow } from '../../db/tables/backup-schedule.ts';
import { openTaskOf } from '../../db/tables/task.ts';

const DAY_MS = 86_400_000;
/** Time in milliseconds between the due time of a backup verification and the time when the verification is overdue. */
const LATE_MS = DAY_MS;

type Verified = Pick<BackupScheduleRow, 'verify_every_days' | 'updated_at'>;

/**
 * Returns the time since which the verification of a backup is due, in milliseconds since the epoch. If no verification
 * is due, returns `null`.
 * @param dumps successful dumps, newest first
 */
export function verificationDueSince(
  { verify_every_days, updated_at }: Verified,
  dumps: readonly BackupRow[],
  now: number,
): number | null {
  if (verify_every_days === null || dumps.length === 0) return null;
  // If the system clock was wrong, a verification can have a time in the future. Ignore such verifications.
  const times = dumps.map(({ verified_at }) => verified_at ?? 0).filter((at) => at <= now);
  const due = Math.max(0, ...times) + verify_every_days * DAY_MS;
  return now < due ? null : Math.max(due, updated_at);
}

/**
 * Returns the time since which an overdue verification of a backup is due, in milliseconds since the epoch. If no
 * verification is overdue or a verification is running, returns `null`.
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
