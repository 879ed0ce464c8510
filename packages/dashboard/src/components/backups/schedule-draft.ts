/** When a database is backed up, as it is typed, and what is sent of it. */
import type { BackupDestination, BackupSchedule } from '@davit/api';
import type { Args } from '../../api.ts';
import { typedNumber } from '../app-settings/typed-number.ts';

export interface BackupDraft {
  cron: string;
  timeZone: string;
  keep: string;
  /** Days; empty: never by itself. */
  verifyEvery: string;
  pointInTime: boolean;
  /** The object store's name; empty: this machine. */
  store: string;
  bucket: string;
  prefix: string;
}

type Body = NonNullable<Args<'putBackupSchedule'>['body']>;

/** @param timeZone where the reader is */
export function newBackupDraft(timeZone: string): BackupDraft {
  const place = { store: '', bucket: '', prefix: '' };
  return { cron: '0 3 * * *', timeZone, keep: '7', verifyEvery: '', pointInTime: false, ...place };
}

export function backupDraftOf(schedule: BackupSchedule): BackupDraft {
  const { cron, time_zone, keep, verify_every_days, point_in_time, destination } = schedule;
  const place = destination.kind === 'store' ? destination : { store: '', bucket: '', prefix: '' };
  return {
    ...{ cron, timeZone: time_zone, keep: String(keep), pointInTime: point_in_time },
    verifyEvery: verify_every_days === null ? '' : String(verify_every_days),
    ...{ store: place.store, bucket: place.bucket, prefix: place.prefix },
  };
}

/** What has to be filled in first, in a sentence; null: it can be sent. */
export function missingInBackup({ cron, keep, store, bucket }: BackupDraft): string | null {
  if (cron.trim() === '') return 'Say when it is backed up first.';
  if (keep.trim() === '') return 'Say how many are kept first.';
  return store !== '' && bucket.trim() === '' ? 'Name the bucket first.' : null;
}

export function destinationOf({ store, bucket, prefix }: Pick<BackupDraft, 'store' | 'bucket' | 'prefix'>) {
  const destination: BackupDestination =
    store === '' ? { kind: 'disk' } : { kind: 'store', store, bucket: bucket.trim(), prefix: prefix.trim() };
  return destination;
}

/** What makes no sense is sent as it is: the instance says so. */
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
