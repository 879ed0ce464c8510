import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import {
  Database,
  DatabaseCreate,
  DatabaseCredentials,
  DatabaseEngineOffer,
  DatabaseExpose,
  DatabasePatch,
} from '../schemas/database.ts';
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
  errors: ['not_found'],
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
});

export const startDatabase = operation({
  id: 'startDatabase',
  method: 'POST',
  path: `${path}/start`,
  tag,
  summary: 'Start a stopped database',
  description: 'A task that ends when it answers.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `Starts a stopped database. ${waitsForTask}` },
});

export const stopDatabase = operation({
  id: 'stopDatabase',
  method: 'POST',
  path: `${path}/stop`,
  tag,
  summary: 'Stop a database',
  description:
    'Connections are ended and everything is brought to disk. It stays stopped, through every restart, until it is started; its data stays.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `Stops a database until it is started; its data stays. ${waitsForTask}` },
});

export const restartDatabase = operation({
  id: 'restartDatabase',
  method: 'POST',
  path: `${path}/restart`,
  tag,
  summary: 'Restart a database',
  description: 'It does not answer for a few seconds; its container is made anew of the same data.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `Restarts a database; it does not answer for a few seconds. ${waitsForTask}` },
});

export const exposeDatabase = operation({
  id: 'exposeDatabase',
  method: 'POST',
  path: `${path}/expose`,
  tag,
  summary: 'Open a database to the world on a port of the machine',
  description:
    'With TLS by the database itself, past the proxy, for whoever reaches the machine and has a login. Its container is made anew, so that it does not answer for a few seconds.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  body: DatabaseExpose,
  bodyOptional: true,
  responses: begun,
});

export const unexposeDatabase = operation({
  id: 'unexposeDatabase',
  method: 'DELETE',
  path: `${path}/expose`,
  tag,
  summary: 'Close a database to the world',
  description: 'Its container is made anew, so that it does not answer for a few seconds.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  errors: ['conflict'],
});
