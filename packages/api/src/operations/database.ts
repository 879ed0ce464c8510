import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Database, DatabaseCredentials } from '../schemas/database.ts';
import { DatabaseCreate, DatabasePatch } from '../schemas/database-change.ts';
import { DatabaseEngineOffer } from '../schemas/database-engine.ts';
import { ConfirmDatabase, DatabasePath, paging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Databases';
const path = '/databases/{project}/{environment}/{database}';
const begun = { 200: taskEnded, 202: taskAccepted } as const;

export const listDatabaseEngines = operation({
  id: 'listDatabaseEngines',
  method: 'GET',
  path: '/database-engines',
  tag,
  summary: 'List the kinds of databases that can be made here',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The engines, with their versions.', schema: z.array(DatabaseEngineOffer) } },
  tool: {},
});

export const listDatabases = operation({
  id: 'listDatabases',
  method: 'GET',
  path: '/databases',
  tag,
  summary: 'List the databases you see',
  description: 'Those in the trash are listed there.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({ ...paging }),
  responses: { 200: { description: 'The databases, by reference.', schema: z.array(Database) } },
  tool: {},
});

export const createDatabase = operation({
  id: 'createDatabase',
  method: 'POST',
  path: '/databases',
  tag,
  summary: 'Create a database',
  description:
    'A task: its image is pulled or made, its volume and its container are made, and it is waited for until it answers. When that fails nothing is left of it. Its password is in no answer but that of its credentials.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: TaskQuery,
  body: DatabaseCreate,
  responses: begun,
  errors: ['not_found', 'quota_exceeded'],
  tool: {
    description: `Makes a database in an environment, beside its apps. ${waitsForTask}`,
    without: ['password'],
  },
});

export const getDatabase = operation({
  id: 'getDatabase',
  method: 'GET',
  path,
  tag,
  summary: 'Read a database',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    sizes: QueryBoolean.optional().describe('Measure its data too, which may take seconds.'),
  }),
  responses: { 200: { description: 'The database.', schema: Database } },
  tool: {},
});

export const patchDatabase = operation({
  id: 'patchDatabase',
  method: 'PATCH',
  path,
  tag,
  summary: 'Change the description or the limits of a database',
  description: 'Limits are given to what runs at once.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  body: DatabasePatch,
  errors: ['conflict', 'quota_exceeded'],
  responses: { 200: { description: 'The database.', schema: Database } },
  tool: {},
});

export const deleteDatabase = operation({
  id: 'deleteDatabase',
  method: 'DELETE',
  path,
  tag,
  summary: 'Move a database to the trash',
  description:
    'It is stopped and its name is free. Its data stays for the days that the settings name, and can be brought back until then.',
  permission: 'administer',
  scope: 'database',
  effect: 'destroy',
  params: DatabasePath,
  query: ConfirmDatabase,
  responses: { 200: { description: 'The database, in the trash.', schema: Database } },
  errors: ['conflict'],
});

export const getDatabaseCredentials = operation({
  id: 'getDatabaseCredentials',
  method: 'GET',
  path: `${path}/credentials`,
  tag,
  summary: 'Read what a database is reached with',
  permission: 'secrets',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  responses: { 200: { description: 'The credentials.', schema: DatabaseCredentials } },
  errors: ['conflict'],
});
