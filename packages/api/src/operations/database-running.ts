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
  summary: 'Start a database',
  description:
    'Davit starts a database that has the status `stopped`, `down` or `degraded`. The request creates a task, which ends when the database accepts connections.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `The database must have the status \`stopped\`, \`down\` or \`degraded\`. ${waitsForTask}` },
});

export const stopDatabase = operation({
  id: 'stopDatabase',
  method: 'POST',
  path: `${path}/stop`,
  tag,
  summary: 'Stop a database',
  description:
    'Davit closes all connections and writes all data to disk. The database stays stopped until you start it, even after a restart of the instance. The data is kept.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `The database stays stopped until you start it. The data is kept. ${waitsForTask}` },
});

export const restartDatabase = operation({
  id: 'restartDatabase',
  method: 'POST',
  path: `${path}/restart`,
  tag,
  summary: 'Restart a database',
  description:
    'Restarts a database in a new container and keeps its data. The database is unavailable for a few seconds.',
  permission: 'operate',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `The database is unavailable for a few seconds. ${waitsForTask}` },
});

export const exposeDatabase = operation({
  id: 'exposeDatabase',
  method: 'POST',
  path: `${path}/expose`,
  tag,
  summary: 'Expose a database on a port of the server',
  description:
    'Davit makes the database available on a port of the server. All clients that can reach the server can connect to this port with a user name and password of the database. The connections do not pass through the proxy; the database server provides TLS. PostgreSQL, MariaDB and Redis reject connections to this port without TLS. Davit replaces the container of the database, so the database is unavailable for a few seconds.',
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
  summary: 'Stop exposing a database',
  description:
    'Davit closes the port on the server at which the database was exposed. Davit replaces the container of the database, so the database is unavailable for a few seconds.',
  permission: 'administer',
  scope: 'database',
  effect: 'write',
  params: DatabasePath,
  query: TaskQuery,
  responses: begun,
  errors: ['conflict'],
});
