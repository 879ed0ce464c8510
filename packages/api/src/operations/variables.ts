import { operation } from '../operation.ts';
import { Variables, VariablesPatch, VariablesPut } from '../schemas/variables.ts';
import { AppPath, EnvironmentPath, ProjectPath } from './parameters.ts';

const tag = 'Variables';

const masks = 'Who may not read secrets sees null in their place.';
const merges = 'Sets and unsets the named ones and leaves the others.';
const replaces =
  'Replaces all of this level; a null keeps the stored value, so that what was read masked can be written back.';
const values = {
  200: { description: 'The variables of this level, and what an app gets.', schema: Variables },
} as const;

/** The three operations of one level, alike but for what they hang on. */
const read = { tag, permission: 'read', effect: 'read', method: 'GET', description: masks, responses: values } as const;
const merge = {
  tag,
  permission: 'operate',
  effect: 'write',
  method: 'PATCH',
  description: merges,
  body: VariablesPatch,
  responses: values,
} as const;
const replace = {
  tag,
  permission: 'operate',
  effect: 'write',
  method: 'PUT',
  description: replaces,
  body: VariablesPut,
  responses: values,
} as const;

const project = { path: '/projects/{project}/env', scope: 'project', params: ProjectPath } as const;
const environment = {
  path: '/projects/{project}/environments/{environment}/env',
  scope: 'environment',
  params: EnvironmentPath,
} as const;
const app = { path: '/apps/{project}/{environment}/{app}/env', scope: 'app', params: AppPath } as const;

export const getProjectVariables = operation({
  ...read,
  ...project,
  id: 'getProjectVariables',
  summary: 'Read a project’s variables',
});
export const patchProjectVariables = operation({
  ...merge,
  ...project,
  id: 'patchProjectVariables',
  summary: 'Change a project’s variables',
});
export const putProjectVariables = operation({
  ...replace,
  ...project,
  id: 'putProjectVariables',
  summary: 'Replace a project’s variables',
});

export const getEnvironmentVariables = operation({
  ...read,
  ...environment,
  id: 'getEnvironmentVariables',
  summary: 'Read an environment’s variables',
});
export const patchEnvironmentVariables = operation({
  ...merge,
  ...environment,
  id: 'patchEnvironmentVariables',
  summary: 'Change an environment’s variables',
});
export const putEnvironmentVariables = operation({
  ...replace,
  ...environment,
  id: 'putEnvironmentVariables',
  summary: 'Replace an environment’s variables',
});

export const getAppVariables = operation({
  ...read,
  ...app,
  id: 'getAppVariables',
  summary: 'Read an app’s variables',
});
export const patchAppVariables = operation({
  ...merge,
  ...app,
  id: 'patchAppVariables',
  summary: 'Change an app’s variables',
});
export const putAppVariables = operation({
  ...replace,
  ...app,
  id: 'putAppVariables',
  summary: 'Replace an app’s variables',
});
