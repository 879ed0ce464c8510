import { operation } from '../operation.ts';
import { BackupSchedule, BackupSchedulePut } from '../schemas/backup.ts';
import { DatabasePath } from './parameters.ts';

const tag = 'Backups';
const path = '/databases/{project}/{environment}/{database}/backups/schedule';

export const getBackupSchedule = operation({
  id: 'getBackupSchedule',
  method: 'GET',
  path,
  tag,
  summary: 'Read when a database is backed up',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  responses: { 200: { description: 'The schedule.', schema: BackupSchedule } },
});

export const putBackupSchedule = operation({
  id: 'putBackupSchedule',
  method: 'PUT',
  path,
  tag,
  summary: 'Say when a database is backed up',
  description:
    'Of its backups the newest good ones are kept, as many as `keep` says; a failed one counts for nothing, so that the last good one is never removed by the schedule. Times are those of the clock in its time zone. One at which the instance was down is caught up within an hour, and is told as missed after that.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  body: BackupSchedulePut,
  responses: { 200: { description: 'The schedule.', schema: BackupSchedule } },
  errors: ['conflict'],
  tool: {},
});

export const removeBackupSchedule = operation({
  id: 'removeBackupSchedule',
  method: 'DELETE',
  path,
  tag,
  summary: 'Back up a database no more by itself',
  description: 'What was taken stays.',
  permission: 'administer',
  scope: 'database',
  effect: 'destroy',
  params: DatabasePath,
  responses: { 204: { description: 'It is gone.' } },
});
