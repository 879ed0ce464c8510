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
  summary: 'List the apps you see',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject({
    label: LabelSelector.optional().describe('`key` or `key=value`; several, joined by commas, must all hold.'),
    ...paging,
  }),
  responses: { 200: { description: 'The apps, by reference.', schema: z.array(App) } },
  tool: {},
});

export const createApp = operation({
  id: 'createApp',
  method: 'POST',
  path: '/apps',
  tag,
  summary: 'Create an app',
  description: 'Nothing runs until the first deploy.',
  permission: 'operate',
  scope: 'instance',
  effect: 'write',
  body: AppCreate,
  responses: { 201: { description: 'The app.', schema: App, headers: { Location: 'Where it is.' } } },
  errors: ['not_found'],
  tool: {},
});

export const getApp = operation({
  id: 'getApp',
  method: 'GET',
  path,
  tag,
  summary: 'Read an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  responses: { 200: { description: 'The app.', schema: App } },
  tool: {},
});

const changes =
  'Settings take effect with the next deploy (`pending_changes` until then). `scale` and `limits` are the app’s own and act at once: a new scale starts a deployment of what is live, new limits are given to what runs. In a stopped app they act at its start.';

export const patchApp = operation({
  id: 'patchApp',
  method: 'PATCH',
  path,
  tag,
  summary: 'Change some settings of an app',
  description: `A JSON merge patch: what is absent stays, null goes back to the default (but \`port: null\` is a worker, as everywhere, and \`port: image\` leaves it to the image). ${changes}`,
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
  description: `What is left out means its default. ${changes}`,
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
  description: 'Stops and removes what runs; its deployments are forgotten. Named volumes are kept.',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: AppPath,
  responses: { 204: { description: 'It is gone.' } },
  tool: {},
});
