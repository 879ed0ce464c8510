import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Task } from '../schemas/task.ts';
import { InstallPlan, InstallSecrets, TemplateInstall } from '../schemas/template-install.ts';
import { TemplateFileInstall, TemplateInstallCreate } from '../schemas/template-install-input.ts';
import { paging } from './parameters.ts';
import { TaskWait, taskAccepted, taskEnded, waitsForTask } from './task-answers.ts';
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
  errors: ['conflict'],
});
