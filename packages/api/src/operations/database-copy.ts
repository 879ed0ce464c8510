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
    'Davit creates a new database with a copy of the current data. The new database has its own password and no attachments.',
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
    'Davit moves the data to a new server with another version of the database engine. Davit first blocks changes and dumps the data. Davit then restores the dump into the new server and compares the number of records. The database keeps its name, address and password. The database is unavailable during the whole upgrade. If a step fails, the old server runs again with unchanged data. After a successful upgrade, the old data stays in the trash until its retention ends.',
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
    'Davit creates a new database with the data that the database had at one moment. The database must be a PostgreSQL database whose backup schedule has `point_in_time`. The backup coverage shows the first and the last possible moment.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: PointInTimeRestore,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Davit creates a new database with the data that the database had at one moment. ${waitsForTask}`,
  },
});
