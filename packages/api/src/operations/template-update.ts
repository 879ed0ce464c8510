/** What becomes of a template that is installed. */
import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Task } from '../schemas/task.ts';
import { UpdatePreview } from '../schemas/template-install.ts';
import { TemplateRollback, TemplateUninstall, TemplateUpdate } from '../schemas/template-install-input.ts';
import { TaskQuery, TaskWait, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';
import { InstallPath } from './template-paths.ts';

const tag = 'Templates';
const path = '/template-installs/{install}';

const previewable = z.strictObject({
  wait: TaskWait,
  dry_run: QueryBoolean.optional().describe('Answer what it would change, also with a file, and do nothing.'),
});
const endedOrPreviewed = {
  ...taskEnded,
  description: 'With `wait=true`: the task, which has ended. With `dry_run=true`: what it would change.',
  schema: z.union([Task, UpdatePreview]),
};

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
  query: previewable,
  body: TemplateUpdate,
  bodyOptional: true,
  errors: ['already_installed', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: endedOrPreviewed, 202: taskAccepted },
  tool: {
    description: `Applies what the preview tells, and never removes data. ${waitsForTask}`,
    without: ['dry_run'],
    answer: Task,
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
