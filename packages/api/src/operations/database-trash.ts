import { z } from 'zod';
import { operation } from '../operation.ts';
import { Database } from '../schemas/database.ts';
import { RestoreDatabaseInput } from '../schemas/database-change.ts';
import { ConfirmDatabase, paging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded } from './task-answers.ts';

const tag = 'Databases';
const trash = '/trash/databases';
const TrashedPath = z.object({ trashed: z.string().describe('ID of the database.') });

export const listTrashedDatabases = operation({
  id: 'listTrashedDatabases',
  method: 'GET',
  path: trash,
  tag,
  summary: 'List the databases in the trash',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: {
    200: { description: 'Databases in the trash, most recently deleted first.', schema: z.array(Database) },
  },
});

export const restoreDatabase = operation({
  id: 'restoreDatabase',
  method: 'POST',
  path: `${trash}/{trashed}/restore`,
  tag,
  summary: 'Restore a database from the trash',
  description:
    'Davit restores the database at its previous address. To use another name or environment, set `name` or `into` in the request body. Davit then starts the database with its previous data, users and passwords.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: TrashedPath,
  query: TaskQuery,
  body: RestoreDatabaseInput,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  errors: ['not_found', 'quota_exceeded'],
});

export const destroyDatabase = operation({
  id: 'destroyDatabase',
  method: 'DELETE',
  path: `${trash}/{trashed}`,
  tag,
  summary: 'Delete a database from the trash',
  description: 'Davit deletes the database and its data immediately and permanently.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: TrashedPath,
  query: ConfirmDatabase,
  responses: { 204: { description: 'The database was deleted.' } },
  errors: ['not_found', 'conflict'],
});
