import { operation } from '../operation.ts';
import { ObjectStoreCreate, ObjectStoreExpose } from '../schemas/object-store-change.ts';
import { EnvironmentPath, ObjectStorePath } from './parameters.ts';
import { TaskQuery, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';

const tag = 'Object stores';
const begun = { 200: taskEnded, 202: taskAccepted } as const;

export const createObjectStore = operation({
  id: 'createObjectStore',
  method: 'POST',
  path: '/projects/{project}/environments/{environment}/object-stores',
  tag,
  summary: 'Create a managed object store',
  description:
    'Davit runs a SeaweedFS server, which is an S3-compatible object store, for the apps of the environment. If you delete the object store, its objects stay in the trash for the number of days in the setting `databases.trash_days`.',
  permission: 'administer',
  scope: 'environment',
  effect: 'write',
  params: EnvironmentPath,
  query: TaskQuery,
  body: ObjectStoreCreate,
  errors: ['quota_exceeded'],
  responses: begun,
  tool: { description: `Davit runs the object store for the apps of the environment. ${waitsForTask}` },
});

export const startObjectStore = operation({
  id: 'startObjectStore',
  method: 'POST',
  path: '/object-stores/{object_store}/start',
  tag,
  summary: 'Start a managed object store',
  description: 'Davit starts an object store that has the status `stopped`, `down` or `degraded`.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `The object store must have the status \`stopped\`, \`down\` or \`degraded\`. ${waitsForTask}` },
});

export const stopObjectStore = operation({
  id: 'stopObjectStore',
  method: 'POST',
  path: '/object-stores/{object_store}/stop',
  tag,
  summary: 'Stop a managed object store',
  description: 'The objects are kept, but are unavailable until the object store is started again.',
  permission: 'operate',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: TaskQuery,
  responses: begun,
  tool: {
    description: `The objects are kept, but are unavailable until the object store is started again. ${waitsForTask}`,
  },
});

export const restoreObjectStore = operation({
  id: 'restoreObjectStore',
  method: 'POST',
  path: '/object-stores/{object_store}/restore',
  tag,
  summary: 'Restore a managed object store from the trash',
  description: 'Davit starts the object store with its previous buckets and objects.',
  permission: 'administer',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: TaskQuery,
  errors: ['quota_exceeded'],
  responses: begun,
});

export const exposeObjectStore = operation({
  id: 'exposeObjectStore',
  method: 'POST',
  path: '/object-stores/{object_store}/expose',
  tag,
  summary: 'Expose a managed object store on a port of the server',
  description:
    'Davit makes the object store available on a port of the server. All clients that can reach the server can connect to this port. The connections use no TLS and do not pass through the proxy. Presigned URLs use this port. Davit restarts the object store.',
  permission: 'administer',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: TaskQuery,
  body: ObjectStoreExpose,
  bodyOptional: true,
  responses: begun,
});

export const unexposeObjectStore = operation({
  id: 'unexposeObjectStore',
  method: 'DELETE',
  path: '/object-stores/{object_store}/expose',
  tag,
  summary: 'Stop exposing a managed object store',
  description:
    'Davit closes the port on the server at which the object store was exposed. Davit also restarts the object store.',
  permission: 'administer',
  scope: 'object_store',
  effect: 'write',
  params: ObjectStorePath,
  query: TaskQuery,
  responses: begun,
  errors: ['conflict'],
});
