import { operation } from '../operation.ts';
import { Quota, QuotaPatch, QuotaPut } from '../schemas/quota.ts';
import { ProjectPath } from './parameters.ts';

const tag = 'Projects';
const path = '/projects/{project}/quota';
const answer = {
  200: { description: 'Limits of the project and the resources that it currently uses.', schema: Quota },
};
const BELOW =
  'You can set a limit below the amount that the project currently uses. Davit then refuses only requests that increase this amount.';

export const getProjectQuota = operation({
  id: 'getProjectQuota',
  method: 'GET',
  path,
  tag,
  summary: 'Get the quota of a project',
  description: 'Returns the limits of the project and the resources that it currently uses.',
  permission: 'read',
  scope: 'project',
  effect: 'read',
  params: ProjectPath,
  responses: answer,
  tool: {},
});

export const putProjectQuota = operation({
  id: 'putProjectQuota',
  method: 'PUT',
  path,
  tag,
  summary: 'Set the quota of a project',
  description: `${BELOW} Requires access to all projects.`,
  permission: 'administer',
  scope: 'project',
  effect: 'write',
  params: ProjectPath,
  body: QuotaPut,
  responses: answer,
});

export const patchProjectQuota = operation({
  id: 'patchProjectQuota',
  method: 'PATCH',
  path,
  tag,
  summary: 'Update the quota of a project',
  description: `${BELOW} Requires access to all projects.`,
  permission: 'administer',
  scope: 'project',
  effect: 'write',
  params: ProjectPath,
  body: QuotaPatch,
  responses: answer,
});
