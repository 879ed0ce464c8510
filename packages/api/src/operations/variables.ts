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

const masks = 'Values of secret variables are `null` for callers without the role member or admin.';
const merges = 'Sets the variables in `set` and removes the variables in `unset`. Other variables do not change.';
const replaces =
  'Replaces all variables of the project, environment or app in the request path. To keep the stored value of a variable, send `null` as its value. Clients can do this for secret variables whose values they cannot read.';
const shown =
  'Variables of the project, environment or app in the request path. The field `effective` also contains inherited variables and variables from attached databases and buckets.';
const values = { 200: { description: shown, schema: Variables } } as const;

/**
 * Error code if the stored value of a variable cannot be decrypted. The reason is that the value was changed outside
 * Davit.
 */
const unopened: ErrorCode[] = ['conflict'];
const ofDeploy: ErrorCode[] = [...unopened, 'quota_exceeded'];

/** Fields of all API operations that read the variables of a project, an environment or an app. */
const read = {
  tag,
  permission: 'read',
  effect: 'read',
  method: 'GET',
  description: masks,
  responses: values,
  errors: unopened,
  returnsSecrets: true,
  tool: { description: 'Values of secret variables are `null`.' },
} as const;
const merge = {
  tag,
  permission: 'operate',
  effect: 'write',
  method: 'PATCH',
  description: merges,
  body: VariablesPatch,
  errors: unopened,
  returnsSecrets: true,
  tool: {
    description: `${merges} Tools never return the values of secret variables. An app gets the new values with its next deployment.`,
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
  returnsSecrets: true,
} as const;

/**
 * Query parameters and responses of API operations that change project or environment variables. Such a change can
 * affect several apps.
 */
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
  summary: 'Get the variables of a project',
});
export const setProjectEnv = operation({
  ...merge,
  ...project,
  ...ofMany,
  id: 'setProjectEnv',
  summary: 'Update variables of a project',
});
export const replaceProjectEnv = operation({
  ...replace,
  ...project,
  ...ofMany,
  id: 'replaceProjectEnv',
  summary: 'Replace the variables of a project',
});

export const getEnvironmentEnv = operation({
  ...read,
  ...environment,
  id: 'getEnvironmentEnv',
  summary: 'Get the variables of an environment',
});
export const setEnvironmentEnv = operation({
  ...merge,
  ...environment,
  ...ofMany,
  id: 'setEnvironmentEnv',
  summary: 'Update variables of an environment',
});
export const replaceEnvironmentEnv = operation({
  ...replace,
  ...environment,
  ...ofMany,
  id: 'replaceEnvironmentEnv',
  summary: 'Replace the variables of an environment',
});

export const getAppEnv = operation({
  ...read,
  ...app,
  id: 'getAppEnv',
  summary: 'Get the variables of an app',
});
export const setAppEnv = operation({
  ...merge,
  ...app,
  ...ofOne,
  id: 'setAppEnv',
  summary: 'Update variables of an app',
});
export const replaceAppEnv = operation({
  ...replace,
  ...app,
  ...ofOne,
  id: 'replaceAppEnv',
  summary: 'Replace the variables of an app',
});
