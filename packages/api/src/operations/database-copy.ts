import { operation } from '../operation.ts';
import { DatabaseClone, DatabaseUpgrade, PointInTimeRestore } from '../schemas/backup.ts';
import { DatabasePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Databases';
const path = '/databases/{project}/{environment}/{database}';

export const cloneDatabase = operation({
  id: 'cloneDatabase',
  method: 'POST',
  path: `${path}/clone`,
  tag,
  summary: 'Clone a database',
  description:
    'Davit creates a new database with a copy of the current data. The new database has its own password and no attached apps.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseClone,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `Davit creates a new database with a copy of the current data. ${waitsForTask}` },
});

export const upgradeDatabase = operation({
  id: 'upgradeDatabase',
  method: 'POST',
  path: `${path}/upgrade`,
  tag,
  summary: 'Upgrade a database',
  description:
    'Davit moves the data to a new database server of another version. Davit first blocks changes and dumps the data. Davit then restores the dump into the new database server and compares the number of records. The database keeps its name, address and password. The database is unavailable during the whole upgrade. If a step fails, Davit starts the old database server again with unchanged data. After a successful upgrade, the old data stays in the trash for some days (by default 7).',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseUpgrade,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
});

export const restoreDatabaseTo = operation({
  id: 'restoreDatabaseTo',
  method: 'POST',
  path: `${path}/point-in-time`,
  tag,
  summary: 'Restore a database to a point in time',
  description:
    'Davit creates a new database with the data of the original database at a point in time. The original database must be a PostgreSQL database, and its backup schedule must have `point_in_time: true`. The operation `listBackupCoverage` returns the earliest and the latest possible time.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: PointInTimeRestore,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Davit creates a new database with the data of the original database at a point in time. ${waitsForTask}`,
  },
});
