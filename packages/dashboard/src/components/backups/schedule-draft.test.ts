import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type BackupSchedule, BackupSchedulePut } from '@davit/api';
import { backupDraftOf, backupScheduleBody, missingInBackup, newBackupDraft } from './schedule-draft.ts';

describe('backup schedule draft', () => {
  it('starts with defaults accepted by the API schema', () => {
    const body = backupScheduleBody(newBackupDraft('Europe/Berlin'));
    assert.equal(BackupSchedulePut.parse(body).time_zone, 'Europe/Berlin');
    assert.deepEqual(body.destination, { kind: 'disk' });
    assert.equal(body.verify_every_days, null);
  });

  it('sends an unchanged schedule without modification', () => {
    const put = {
      ...{ cron: '@daily', time_zone: 'UTC', keep: 14, verify_every_days: 7, point_in_time: true },
      destination: { kind: 'object_store', object_store: 'offsite', bucket: 'davit', prefix: 'shop/' },
    } as const;
    assert.deepEqual(backupScheduleBody(backupDraftOf(put as unknown as BackupSchedule)), put);
  });

  it('reports a missing cron expression, backup count or bucket', () => {
    const draft = newBackupDraft('UTC');
    assert.equal(missingInBackup(draft), null);
    assert.match(missingInBackup({ ...draft, cron: ' ' }) ?? '', /cron expression/);
    assert.match(missingInBackup({ ...draft, keep: '' }) ?? '', /number of backups/);
    assert.match(missingInBackup({ ...draft, store: 'offsite' }) ?? '', /bucket/);
  });

  it('keeps a non-numeric backup count in the request', () => {
    assert.equal(backupScheduleBody({ ...newBackupDraft('UTC'), keep: 'many' }).keep, 'many');
  });
});
