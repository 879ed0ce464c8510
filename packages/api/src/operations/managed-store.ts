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
  summary: 'Make an object store that this instance runs',
  description:
    'SeaweedFS, in the environment and for its apps, with a volume that nothing but the end of its time in the trash removes.',
  permission: 'administer',
  scope: 'environment',
  effect: 'write',
  params: EnvironmentPath,
  query: TaskQuery,
  body: StoreCreate,
  errors: ['quota_exceeded'],
  responses: begun,
  tool: { description: `Makes an object store in an environment, for its apps. ${waitsForTask}` },
});

export const startStore = operation({
  id: 'startStore',
  method: 'POST',
  path: '/stores/{store}/start',
  tag,
  summary: 'Start a managed object store',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `Starts a managed object store that is stopped. ${waitsForTask}` },
});

export const stopStore = operation({
  id: 'stopStore',
  method: 'POST',
  path: '/stores/{store}/stop',
  tag,
  summary: 'Stop a managed object store',
  description: 'Its objects stay, and are out of reach until it is started.',
  permission: 'operate',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  tool: { description: `Stops a managed object store until it is started; its objects stay. ${waitsForTask}` },
});

export const restoreStore = operation({
  id: 'restoreStore',
  method: 'POST',
  path: '/stores/{store}/restore',
  tag,
  summary: 'Bring a managed object store back from the trash',
  description: 'It is started, with what it had.',
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
  summary: 'Let the world reach a managed object store',
  description:
    'A port of the machine leads to it, without TLS and past the proxy; presigned addresses lead there. It is started again for it.',
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
  summary: 'Take a managed object store’s port away',
  description: 'It is started again without it.',
  permission: 'administer',
  scope: 'store',
  effect: 'write',
  params: StorePath,
  query: TaskQuery,
  responses: begun,
  errors: ['conflict'],
});
