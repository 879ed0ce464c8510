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
  dry_run: QueryBoolean.optional().describe(
    '`true` returns a preview of the installation with all problems and changes nothing. Default: `false`.',
  ),
});
const endedOrPlanned = {
  ...taskEnded,
  description:
    'With `wait=true`, the response is the finished task. With `dry_run=true`, the response is a preview of the installation (`TemplatePlan`).',
  schema: z.union([Task, InstallPlan]),
};
/** Sentence that is part of the description of MCP tools that install or change a template. */
const names = 'The field `subject` of the task has the ID of the installation.';

export const installTemplate = operation({
  id: 'installTemplate',
  method: 'POST',
  path: '/templates/{owner}/{name}/installs',
  tag,
  summary: 'Install a template from the catalog',
  description:
    'Davit creates the project and the environment if they do not exist. Davit then creates the databases, object stores and apps of the template, and deploys the apps. If the installation fails, Davit removes everything that the installation created. With `keep_failed`, Davit keeps the created resources. Davit encrypts generated secrets; `GET /template-installs/{install}/secrets` returns these secrets.',
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
    description: `Davit creates the databases, object stores and apps of the template, and deploys the apps. If the installation fails, Davit removes everything that the installation created. ${names} ${waitsForTask}`,
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
  description:
    'Installs a template that is not in the catalog: the text of a `template.yaml`, or a public Git repository. The installation works like an installation from the catalog (`POST /templates/{owner}/{name}/installs`).',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: plannable,
  body: TemplateFileInstall,
  errors: ['template_invalid', 'catalog_unavailable'],
  responses: { 200: endedOrPlanned, 202: taskAccepted },
  tool: {
    description: `Installs a template that is not in the catalog. Davit creates the databases, object stores and apps of the template, and deploys the apps. If the installation fails, Davit removes everything that the installation created. ${names} ${waitsForTask}`,
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
  summary: 'List installations of templates',
  description:
    'Returns the installations of all projects that the caller can access. The list includes removed installations.',
  permission: 'read',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Installations, newest first.', schema: z.array(TemplateInstall) } },
  tool: {},
});

export const getTemplateInstall = operation({
  id: 'getTemplateInstall',
  method: 'GET',
  path,
  tag,
  summary: 'Get an installation of a template',
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
  summary: 'Get the secrets of an installation',
  description: 'Returns the secrets that the user entered and the secrets that Davit generated.',
  permission: 'secrets',
  scope: 'install',
  effect: 'read',
  params: InstallPath,
  responses: {
    200: {
      description: 'Secrets that the user entered or that Davit generated for the installation.',
      schema: InstallSecrets,
    },
  },
  errors: ['conflict'],
});
