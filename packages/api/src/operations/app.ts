import { z } from 'zod';
import { operation } from '../operation.ts';
import { App, AppCreate, AppPatch, AppSettings } from '../schemas/app.ts';
import { LabelSelector } from '../schemas/label.ts';
import { changeDeployed, changedOrPlanned, DeployQuery } from './answers.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Apps';
const path = '/apps/{project}/{environment}/{app}';

export const listApps = operation({
  id: 'listApps',
  method: 'GET',
  path: '/apps',
  tag,
  summary: 'List apps',
  description: 'Returns the apps of all projects that the caller can access.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    label: LabelSelector.optional().describe(
      'Label filter: `key` or `key=value`. Separate several filters with commas. An app must match all filters.',
    ),
    ...paging,
  }),
  responses: { 200: { description: 'Apps, sorted by their address `project/environment/app`.', schema: z.array(App) } },
  tool: {},
});

export const createApp = operation({
  id: 'createApp',
  method: 'POST',
  path: '/apps',
  tag,
  summary: 'Create an app',
  description: 'Creates an app. Davit starts the app at its first deployment.',
  permission: 'operate',
  scope: 'instance',
  effect: 'write',
  body: AppCreate,
  responses: { 201: { description: 'The new app.', schema: App, headers: { Location: 'URL of the app.' } } },
  errors: ['not_found'],
  tool: {},
});

export const getApp = operation({
  id: 'getApp',
  method: 'GET',
  path,
  tag,
  summary: 'Get an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  responses: { 200: { description: 'The app.', schema: App } },
  tool: {},
});

const changes =
  'Changed settings take effect with the next deployment; `pending_changes` is `true` until then. Only `scale` and `limits` take effect immediately. A change of `scale` starts a deployment of the live release. Davit applies new `limits` to the running replicas. If a replica uses more memory than its new limit, a deployment of the live release replaces the replicas. If the app is stopped, `scale` and `limits` take effect when the app starts.';

export const patchApp = operation({
  id: 'patchApp',
  method: 'PATCH',
  path,
  tag,
  summary: 'Update settings of an app',
  description: `The body is a JSON merge patch: absent fields keep their values, and \`null\` resets a field to its default. The field \`port\` is an exception: \`null\` makes the app a worker, which receives no HTTP requests, and \`image\` selects the port that the image exposes. ${changes}`,
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: DeployQuery,
  body: AppPatch,
  responses: { 200: changedOrPlanned('The app.', App), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
  tool: { without: ['deploy', 'dry_run'], answer: App },
});

export const putApp = operation({
  id: 'putApp',
  method: 'PUT',
  path,
  tag,
  summary: 'Replace the settings of an app',
  description: `Fields that are absent from the body get their defaults. ${changes}`,
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  query: DeployQuery,
  body: AppSettings,
  responses: { 200: changedOrPlanned('The app.', App), 202: changeDeployed },
  errors: ['conflict', 'quota_exceeded'],
});

export const deleteApp = operation({
  id: 'deleteApp',
  method: 'DELETE',
  path,
  tag,
  summary: 'Delete an app',
  description:
    'Davit stops and removes the containers of the app and deletes its deployments. The volumes of the app are kept.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: AppPath,
  responses: { 204: { description: 'The app was deleted.' } },
  tool: {},
});
