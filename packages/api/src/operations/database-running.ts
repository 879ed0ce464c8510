import { operation } from '../operation.ts';
import { DatabaseExpose } from '../schemas/database-change.ts';
import { DatabasePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Databases';
const path = '/databases/{project}/{environment}/{database}';
const begun = { 200: taskEnded, 202: taskAccepted } as const;

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
