import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Task } from '../schemas/task.ts';
import {
  InstallPlan,
  InstallSecrets,
  TemplateFileInstall,
  TemplateInstall,
  TemplateInstallCreate,
  TemplateRollback,
  TemplateUninstall,
  TemplateUpdate,
  UpdatePreview,
} from '../schemas/template-install.ts';
import { paging } from './parameters.ts';
import { TaskQuery, TaskWait, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';
import { InstallPath, TemplatePath } from './template-paths.ts';

const tag = 'Templates';
const path = '/template-installs/{install}';

const plannable = z.strictObject({
  wait: TaskWait,
  dry_run: QueryBoolean.optional().describe('Answer the plan, with everything that is wrong, and do nothing.'),
});
const endedOrPlanned = {
  ...taskEnded,
  description: 'With `wait=true`: the task, which has ended. With `dry_run=true`: the plan.',
  schema: z.union([Task, InstallPlan]),
};
/** Of every task of an installation. */
const names = 'The task’s subject names the installation.';

export const installTemplate = operation({
  id: 'installTemplate',
  method: 'POST',
  path: '/templates/{owner}/{name}/installs',
  tag,
  summary: 'Install a template of the catalog',
  description:
    'Makes the project and the environment where they are missing, then databases, stores and apps, and deploys them. What fails is removed again, newest first, unless `keep_failed` says otherwise. Secrets that it makes up are sealed, and read with `GET /template-installs/{install}/secrets`.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: TemplatePath,
  query: plannable,
  body: TemplateInstallCreate,
  bodyOptional: true,
  errors: ['not_found', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: endedOrPlanned, 202: taskAccepted },
  tool: {
    description: `Makes its databases, stores and apps, and deploys them; what fails is removed again. ${names} ${waitsForTask}`,
    without: ['dry_run'],
    answer: Task,
    reachesOut: true,
    tellsText: true,
  },
});

export const installTemplateFile = operation({
  id: 'installTemplateFile',
  method: 'POST',
  path: '/template-installs',
  tag,
  summary: 'Install a template from a file or a repository',
  description: 'The same for a template that no catalog lists: the text of a `template.yaml`, or a public repository.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: plannable,
  body: TemplateFileInstall,
  errors: ['template_invalid', 'catalog_unavailable'],
  responses: { 200: endedOrPlanned, 202: taskAccepted },
  tool: {
    description: `The same for a template that no catalog lists. ${names} ${waitsForTask}`,
    without: ['dry_run'],
    answer: Task,
    reachesOut: true,
    tellsText: true,
  },
});

export const listTemplateInstalls = operation({
  id: 'listTemplateInstalls',
  method: 'GET',
  path: '/template-installs',
  tag,
  summary: 'List the templates that are installed',
  description: 'In the projects you see, newest first; with those whose data was kept.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The installations.', schema: z.array(TemplateInstall) } },
  tool: {},
});

export const getTemplateInstall = operation({
  id: 'getTemplateInstall',
  method: 'GET',
  path,
  tag,
  summary: 'Read an installation of a template',
  permission: 'read',
  scope: 'install',
  effect: 'read',
  params: InstallPath,
  responses: { 200: { description: 'The installation.', schema: TemplateInstall } },
  tool: {},
});

export const getTemplateInstallSecrets = operation({
  id: 'getTemplateInstallSecrets',
  method: 'GET',
  path: `${path}/secrets`,
  tag,
  summary: 'Read the secrets of an installation',
  description: 'Those that were answered and those that were made up.',
  permission: 'secrets',
  scope: 'install',
  effect: 'read',
  params: InstallPath,
  responses: { 200: { description: 'The secrets.', schema: InstallSecrets } },
});

export const previewTemplateUpdate = operation({
  id: 'previewTemplateUpdate',
  method: 'GET',
  path: `${path}/update`,
  tag,
  summary: 'Read what an update of an installation would change',
  permission: 'read',
  scope: 'install',
  effect: 'read',
  params: InstallPath,
  query: z.strictObject({
    release: z.string().max(255).optional().describe('A release’s tag. Absent: the one that the catalog lists.'),
    remove: QueryBoolean.optional().describe('As in the update; absent: true.'),
  }),
  errors: ['conflict', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: { description: 'The changes.', schema: UpdatePreview } },
  tool: { reachesOut: true, tellsText: true },
});

export const updateTemplateInstall = operation({
  id: 'updateTemplateInstall',
  method: 'POST',
  path: `${path}/update`,
  tag,
  summary: 'Update an installation to another release',
  description:
    'Applies what the preview tells: new parts are made, changed apps deployed, and what the release dropped is removed, but never data. When it fails, everything is as it was before.',
  permission: 'administer',
  scope: 'install',
  effect: 'write',
  params: InstallPath,
  query: TaskQuery,
  body: TemplateUpdate,
  bodyOptional: true,
  errors: ['template_invalid', 'catalog_unavailable'],
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Applies what the preview tells, and never removes data. ${waitsForTask}`,
    reachesOut: true,
    tellsText: true,
  },
});

export const rollbackTemplateInstall = operation({
  id: 'rollbackTemplateInstall',
  method: 'POST',
  path: `${path}/rollback`,
  tag,
  summary: 'Go back to the release that was installed before',
  description: 'An update to it, with the answers that it had. Data stays as it is.',
  permission: 'administer',
  scope: 'install',
  effect: 'write',
  params: InstallPath,
  query: TaskQuery,
  body: TemplateRollback,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: waitsForTask, tellsText: true },
});

export const uninstallTemplate = operation({
  id: 'uninstallTemplate',
  method: 'POST',
  path: `${path}/uninstall`,
  tag,
  summary: 'Remove what an installation made',
  description:
    'Its apps, and the environment and the project that it made if nothing else is in them. Data is kept unless the request says otherwise, and a later install can adopt it.',
  permission: 'administer',
  scope: 'install',
  effect: 'destroy',
  params: InstallPath,
  query: TaskQuery,
  body: TemplateUninstall,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Its apps go, its data is kept. ${waitsForTask}`,
    without: ['keep_data', 'confirm'],
    tellsText: true,
  },
});

export const retryTemplateInstall = operation({
  id: 'retryTemplateInstall',
  method: 'POST',
  path: `${path}/retry`,
  tag,
  summary: 'Take up an installation that failed',
  description: 'Goes on with what was kept of it, or begins anew with the same answers.',
  permission: 'administer',
  scope: 'install',
  effect: 'write',
  params: InstallPath,
  query: TaskQuery,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: waitsForTask, tellsText: true },
});
