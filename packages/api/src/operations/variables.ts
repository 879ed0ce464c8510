import type { ErrorCode } from '../errors.ts';
import { operation } from '../operation.ts';
import { Variables, VariablesPatch, VariablesPut } from '../schemas/variables.ts';
import {
  changeDeployed,
  changedOrAllPlanned,
  changedOrPlanned,
  changesDeployed,
  DeployAllQuery,
  DeployQuery,
} from './answers.ts';
import { AppPath, EnvironmentPath, ProjectPath } from './parameters.ts';

const tag = 'Variables';

const masks = 'Who may not read secrets sees null in their place.';
const merges = 'Sets and unsets the named ones and leaves the others.';
const replaces =
  'Replaces all of this level; a null keeps the stored value, so that what was read masked can be written back.';
const shown = 'The variables of this level, and what an app gets.';
const values = { 200: { description: shown, schema: Variables } } as const;

/** A stored value that does not open: somebody changed it outside Davit. */
const unopened: ErrorCode[] = ['conflict'];
const ofDeploy: ErrorCode[] = [...unopened, 'quota_exceeded'];

/** The three operations of one level, alike but for what they hang on. */
const read = {
  tag,
  permission: 'read',
  effect: 'read',
  method: 'GET',
  description: masks,
  responses: values,
  errors: unopened,
  tool: { description: 'Values of secret variables are null.' },
} as const;
const merge = {
  tag,
  permission: 'operate',
  effect: 'write',
  method: 'PATCH',
  description: merges,
  body: VariablesPatch,
  errors: unopened,
  tool: {
    description: `${merges} What is named in \`secret\` is never shown again. An app gets the values with its next deploy.`,
    without: ['deploy', 'dry_run'],
    answer: Variables,
  },
} as const;
const replace = {
  tag,
  permission: 'operate',
  effect: 'write',
  method: 'PUT',
  description: replaces,
  body: VariablesPut,
  errors: unopened,
} as const;

/** A change of a level, and what asking for its deployment answers. */
const ofMany = {
  query: DeployAllQuery,
  responses: { 200: changedOrAllPlanned(shown, Variables), 202: changesDeployed },
} as const;
const ofOne = {
  query: DeployQuery,
  errors: ofDeploy,
  responses: { 200: changedOrPlanned(shown, Variables), 202: changeDeployed },
} as const;

const project = { path: '/projects/{project}/env', scope: 'project', params: ProjectPath } as const;
const environment = {
  path: '/projects/{project}/environments/{environment}/env',
  scope: 'environment',
  params: EnvironmentPath,
} as const;
const app = { path: '/apps/{project}/{environment}/{app}/env', scope: 'app', params: AppPath } as const;

export const getProjectEnv = operation({
  ...read,
  ...project,
  id: 'getProjectEnv',
  summary: 'Read a project’s variables',
});
export const setProjectEnv = operation({
  ...merge,
  ...project,
  ...ofMany,
  id: 'setProjectEnv',
  summary: 'Change a project’s variables',
});
export const replaceProjectEnv = operation({
  ...replace,
  ...project,
  ...ofMany,
  id: 'replaceProjectEnv',
  summary: 'Replace a project’s variables',
});

export const getEnvironmentEnv = operation({
  ...read,
  ...environment,
  id: 'getEnvironmentEnv',
  summary: 'Read an environment’s variables',
});
export const setEnvironmentEnv = operation({
  ...merge,
  ...environment,
  ...ofMany,
  id: 'setEnvironmentEnv',
  summary: 'Change an environment’s variables',
});
export const replaceEnvironmentEnv = operation({
  ...replace,
  ...environment,
  ...ofMany,
  id: 'replaceEnvironmentEnv',
  summary: 'Replace an environment’s variables',
});

export const getAppEnv = operation({
  ...read,
  ...app,
  id: 'getAppEnv',
  summary: 'Read an app’s variables',
});
export const setAppEnv = operation({
  ...merge,
  ...app,
  ...ofOne,
  id: 'setAppEnv',
  summary: 'Change an app’s variables',
});
export const replaceAppEnv = operation({
  ...replace,
  ...app,
  ...ofOne,
  id: 'replaceAppEnv',
  summary: 'Replace an app’s variables',
});
