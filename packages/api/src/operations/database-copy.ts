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
  summary: 'Make a new database with what one has now',
  description: 'It has a password of its own, and is attached to nothing.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseClone,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `Make a new database with what one has now. ${waitsForTask}` },
});

export const upgradeDatabase = operation({
  id: 'upgradeDatabase',
  method: 'POST',
  path: `${path}/upgrade`,
  tag,
  summary: 'Bring a database to another version of its engine',
  description:
    'What it has is written out while nothing can change it, read into a new database of that version, counted against the old one, and switched over to under the same name, address and password. It is out of reach from the beginning to the end; when anything fails the old one serves again, unchanged. Its data stays in the trash for its term.',
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
  summary: 'Make a new database with what one had at a moment',
  description: 'For a PostgreSQL whose schedule keeps points in time; the coverage says from when to when.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: PointInTimeRestore,
  errors: ['quota_exceeded'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: `Make a new database with what one had at a moment. ${waitsForTask}` },
});
