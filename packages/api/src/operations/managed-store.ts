import { operation } from '../operation.ts';
import { StoreCreate, StoreExpose } from '../schemas/store-change.ts';
import { EnvironmentPath, StorePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Object stores';
const begun = { 200: taskEnded, 202: taskAccepted } as const;

export const createStore = operation({
  id: 'createStore',
  method: 'POST',
  path: '/projects/{project}/environments/{environment}/stores',
  tag,
  summary: 'Create a managed object store',
  description:
    'Davit runs a SeaweedFS server for the apps of the environment. Davit removes the volume with the objects only when the object store is removed from the trash.',
  permission: 'administer',
  scope: 'environment',
  effect: 'write',
  params: EnvironmentPath,
  query: TaskQuery,
  body: StoreCreate,
  errors: ['quota_exceeded'],
  responses: begun,
  tool: { description: `Davit runs the object store for the apps of the environment. ${waitsForTask}` },
});

export const startStore = operation({
  id: 'startStore',
  method: 'POST',
  path: '/stores/{store}/start',
  tag,
  summary: 'Start a managed object store',
  description: 'The object store must have the status `stopped`, `down` or `degraded`.',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `The object store must have the status \`stopped\`, \`down\` or \`degraded\`. ${waitsForTask}` },
});

export const stopStore = operation({
  id: 'stopStore',
  method: 'POST',
  path: '/stores/{store}/stop',
  tag,
  summary: 'Stop a managed object store',
  description: 'The objects are kept, but are unavailable until the object store is started again.',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  tool: {
    description: `The objects are kept, but are unavailable until the object store is started again. ${waitsForTask}`,
  },
});

export const restoreStore = operation({
  id: 'restoreStore',
  method: 'POST',
  path: '/stores/{store}/restore',
  tag,
  summary: 'Restore a managed object store from the trash',
  description: 'Davit starts the object store with its previous buckets and objects.',
  permission: 'administer',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  errors: ['quota_exceeded'],
  responses: begun,
});

export const exposeStore = operation({
  id: 'exposeStore',
  method: 'POST',
  path: '/stores/{store}/expose',
  tag,
  summary: 'Expose a managed object store on a port of the server',
  description:
    'Clients that can reach the server can connect to the port. The connections use no TLS and do not pass through the proxy. Presigned URLs use this port. Davit restarts the object store.',
  permission: 'administer',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  body: StoreExpose,
  bodyOptional: true,
  responses: begun,
});

export const unexposeStore = operation({
  id: 'unexposeStore',
  method: 'DELETE',
  path: '/stores/{store}/expose',
  tag,
  summary: 'Stop exposing a managed object store',
  description: 'Davit closes the port of the server and restarts the object store.',
  permission: 'administer',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  errors: ['conflict'],
});
