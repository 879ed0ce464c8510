import { z } from 'zod';
import { operation } from '../operation.ts';
import { Database } from '../schemas/database.ts';
import { RestoreDatabaseInput } from '../schemas/database-change.ts';
import { ConfirmDatabase, paging } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded } from './task-answers.ts';

const tag = 'Databases';
const trash = '/trash/databases';
const TrashedPath = z.object({ trashed: z.string().describe('The database’s number, its `id`.') });

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
  responses: { 200: { description: 'The databases, the last deleted first.', schema: z.array(Database) } },
});

export const restoreDatabase = operation({
  id: 'restoreDatabase',
  method: 'POST',
  path: `${trash}/{trashed}/restore`,
  tag,
  summary: 'Bring a database back from the trash',
  description: 'It is in its environment again, with its data, its users and their passwords, and is started.',
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
  summary: 'Remove a database in the trash for good',
  description: 'With its data, at once and for ever.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: TrashedPath,
  query: ConfirmDatabase,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['not_found', 'conflict'],
});
