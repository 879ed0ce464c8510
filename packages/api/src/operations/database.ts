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
  summary: 'List database engines',
  description: 'Returns the database engines and versions that new databases can use.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Database engines with their versions.', schema: z.array(DatabaseEngineOffer) } },
  tool: {},
});

export const listDatabases = operation({
  id: 'listDatabases',
  method: 'GET',
  path: '/databases',
  tag,
  summary: 'List databases',
  description:
    'Returns the databases of all projects that the caller can access. Databases in the trash are not included; to list them, use `GET /trash/databases`.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({ ...paging }),
  responses: {
    200: { description: 'Databases, sorted by their address `project/environment/name`.', schema: z.array(Database) },
  },
  tool: {},
});

export const createDatabase = operation({
  id: 'createDatabase',
  method: 'POST',
  path: '/databases',
  tag,
  summary: 'Create a database',
  description:
    'The request starts a task. The task pulls or builds the image, creates the volume and the container, and waits until the database accepts connections. If the task fails, Davit removes everything that the task created. Only `GET /databases/{project}/{environment}/{database}/credentials` returns the password.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: TaskQuery,
  body: DatabaseCreate,
  responses: begun,
  errors: ['not_found', 'quota_exceeded'],
  tool: {
    description: `Davit creates the database in an environment, for the apps of this environment. ${waitsForTask}`,
    without: ['password'],
  },
});

export const getDatabase = operation({
  id: 'getDatabase',
  method: 'GET',
  path,
  tag,
  summary: 'Get a database',
  permission: 'read',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  query: z.strictObject({
    sizes: QueryBoolean.optional().describe(
      '`true` also measures the size of the data, which can take seconds. Default: `false`.',
    ),
  }),
  responses: { 200: { description: 'The database.', schema: Database } },
  tool: {},
});

export const patchDatabase = operation({
  id: 'patchDatabase',
  method: 'PATCH',
  path,
  tag,
  summary: 'Update a database',
  description:
    'The request can change the description, the limits and `allow_config`. Davit applies the new values to the running database immediately.',
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
    'Davit stops the database and moves it to the trash. You can restore it during the number of days in the setting `databases.trash_days`. A new database can use the same name. Davit refuses the request if an app uses the database (field `used_by`).',
  permission: 'administer',
  scope: 'database',
  effect: 'destroy',
  params: DatabasePath,
  query: ConfirmDatabase,
  responses: { 200: { description: 'The database in the trash.', schema: Database } },
  errors: ['conflict'],
});

export const getDatabaseCredentials = operation({
  id: 'getDatabaseCredentials',
  method: 'GET',
  path: `${path}/credentials`,
  tag,
  summary: 'Get the credentials of a database',
  permission: 'secrets',
  scope: 'database',
  effect: 'read',
  params: DatabasePath,
  responses: {
    200: { description: 'The address, user name and password of the database.', schema: DatabaseCredentials },
  },
  errors: ['conflict'],
});
