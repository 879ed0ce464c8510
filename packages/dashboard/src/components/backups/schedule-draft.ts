import type { BackupDestination, BackupSchedule } from '@davit/api';
import type { Args } from '../../api.ts';
import { typedNumber } from '../app-settings/typed-number.ts';

export interface BackupDraft {
  cron: string;
  timeZone: string;
  keep: string;
  /** Days between two automatic verifications of backups. An empty field turns automatic verification off. */
  verifyEvery: string;
  pointInTime: boolean;
  /** Name of the object store for backups. An empty field means the disk of the server. */
  store: string;
  bucket: string;
  prefix: string;
}

type Body = NonNullable<Args<'putBackupSchedule'>['body']>;

/**
 * Returns the default form values of a new backup schedule.
 * @param timeZone time zone of the browser
 */
export function newBackupDraft(timeZone: string): BackupDraft {
  const storeLocation = { store: '', bucket: '', prefix: '' };
  return { cron: '0 3 * * *', timeZone, keep: '7', verifyEvery: '', pointInTime: false, ...storeLocation };
}

export function backupDraftOf(schedule: BackupSchedule): BackupDraft {
  const { cron, time_zone, keep, verify_every_days, point_in_time, destination } = schedule;
  const storeLocation =
    destination.kind === 'object_store' ? destination : { object_store: '', bucket: '', prefix: '' };
  return {
    ...{ cron, timeZone: time_zone, keep: String(keep), pointInTime: point_in_time },
    verifyEvery: verify_every_days === null ? '' : String(verify_every_days),
    ...{ store: storeLocation.object_store, bucket: storeLocation.bucket, prefix: storeLocation.prefix },
  };
}

/**
 * Returns a message about the first empty required field of the backup schedule form. Returns `null` if no required
 * field is empty.
 */
export function missingInBackup({ cron, keep, store, bucket }: BackupDraft): string | null {
  if (cron.trim() === '') return 'Enter a cron expression first.';
  if (keep.trim() === '') return 'First enter the number of backups to keep.';
  return store !== '' && bucket.trim() === '' ? 'Enter a bucket first.' : null;
}

export function destinationOf({ store, bucket, prefix }: Pick<BackupDraft, 'store' | 'bucket' | 'prefix'>) {
  const destination: BackupDestination =
    store === ''
      ? { kind: 'disk' }
      : { kind: 'object_store', object_store: store, bucket: bucket.trim(), prefix: prefix.trim() };
  return destination;
}

/**
 * Converts the backup schedule form into a request body. Invalid values are sent unchanged, so that the server reports
 * the errors.
 */
export function backupScheduleBody(draft: BackupDraft): Body {
  return {
    cron: draft.cron.trim().replace(/\s+/g, ' '),
    time_zone: draft.timeZone.trim() || 'UTC',
    keep: typedNumber(draft.keep),
    destination: destinationOf(draft),
    verify_every_days: draft.verifyEvery.trim() === '' ? null : typedNumber(draft.verifyEvery),
    point_in_time: draft.pointInTime,
  };
}
