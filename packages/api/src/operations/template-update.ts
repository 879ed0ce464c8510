/** API operations on template installations: update, rollback, uninstall and retry. */
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
  dry_run: QueryBoolean.optional().describe(
    '`true` returns a preview of the update and changes nothing. Default: `false`.',
  ),
});
const endedOrPreviewed = {
  ...taskEnded,
  description:
    'With `wait=true`, the response is the finished task. With `dry_run=true`, the response is a preview of the update.',
  schema: z.union([Task, UpdatePreview]),
};

export const previewTemplateUpdate = operation({
  id: 'previewTemplateUpdate',
  method: 'GET',
  path: `${path}/update`,
  tag,
  summary: 'Preview an update of an installation',
  description: 'Returns the changes that the update would make. The request changes nothing.',
  // The permission `secrets` is required, because the preview of a release can contain values of secret inputs.
  permission: 'secrets',
  scope: 'install',
  effect: 'read',
  params: InstallPath,
  query: z.strictObject({
    release: z
      .string()
      .max(255)
      .optional()
      .describe('Tag of a template release. Default: the newest release in the catalog that has no errors.'),
    keep_removed: QueryBoolean.optional().describe(
      '`true` keeps the apps that the new template release no longer contains. Default: `false`.',
    ),
  }),
  errors: ['conflict', 'source_changed', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: { description: 'Changes that the update would make.', schema: UpdatePreview } },
  tool: { reachesOut: true, tellsText: true },
});

export const updateTemplateInstall = operation({
  id: 'updateTemplateInstall',
  method: 'POST',
  path: `${path}/update`,
  tag,
  summary: 'Update an installation',
  description:
    'Davit updates the installation to another template release. Davit creates new apps and databases, deploys changed apps, and removes apps that the new release no longer contains. The field `remove` must contain the name of each app that the update removes. Davit never removes data. If the update fails, Davit restores the previous state.',
  permission: 'administer',
  scope: 'install',
  effect: 'write',
  params: InstallPath,
  query: previewable,
  body: TemplateUpdate,
  bodyOptional: true,
  errors: ['already_installed', 'source_changed', 'template_invalid', 'catalog_unavailable'],
  responses: { 200: endedOrPreviewed, 202: taskAccepted },
  tool: {
    description: `Davit makes the changes that the tool preview_template_update shows, and never removes data. If the preview removes apps, ask the user, then send the names of these apps in remove. ${waitsForTask}`,
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
  summary: 'Roll back an installation',
  description:
    'Davit restores the previous template release and the input values that the installation used with it. The data in databases and volumes does not change.',
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
  summary: 'Remove an installation',
  description:
    'Davit removes the apps of the installation. Davit also removes the environment and the project that the installation created, if nothing else is in them. By default, Davit keeps databases and volumes, and a later installation can use their data. With `keep_data: false`, Davit moves databases and volumes to the trash.',
  permission: 'administer',
  scope: 'install',
  effect: 'destroy',
  params: InstallPath,
  query: TaskQuery,
  body: TemplateUninstall,
  bodyOptional: true,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: {
    description: `Davit removes the apps of the installation and keeps its data. ${waitsForTask}`,
    without: ['keep_data', 'confirm'],
    tellsText: true,
  },
});

export const retryTemplateInstall = operation({
  id: 'retryTemplateInstall',
  method: 'POST',
  path: `${path}/retry`,
  tag,
  summary: 'Retry a failed installation',
  description:
    'Davit starts the failed installation again with the same inputs. If the installation kept the created resources (`keep_failed`), Davit continues with these resources.',
  permission: 'administer',
  scope: 'install',
  effect: 'write',
  params: InstallPath,
  query: TaskQuery,
  responses: { 200: taskEnded, 202: taskAccepted },
  tool: { description: waitsForTask, tellsText: true },
});
