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
  summary: 'Get the backup schedule of a database',
  description: 'The response is 404 if the database has no backup schedule.',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  responses: { 200: { description: 'The backup schedule.', schema: BackupSchedule } },
});

export const putBackupSchedule = operation({
  id: 'putBackupSchedule',
  method: 'PUT',
  path,
  tag,
  summary: 'Set the backup schedule of a database',
  description:
    'Davit keeps the newest successful backups of the schedule and removes older backups. `keep` is the number of backups to keep. Failed backups do not count, so Davit never removes the last successful backup. The cron expression uses the local time of `time_zone`. If the instance was down at a scheduled time, Davit takes the backup up to one hour late. If the instance was down for longer, Davit reports the backup as missed.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  body: BackupSchedulePut,
  responses: { 200: { description: 'The backup schedule.', schema: BackupSchedule } },
  errors: ['conflict'],
  tool: {},
});

export const removeBackupSchedule = operation({
  id: 'removeBackupSchedule',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete the backup schedule of a database',
  description: 'Deletes the backup schedule of a database. Existing backups are kept.',
  permission: 'administer',
  scope: 'database',
  effect: 'destroy',
  params: DatabasePath,
  responses: { 204: { description: 'The backup schedule was deleted.' } },
});
