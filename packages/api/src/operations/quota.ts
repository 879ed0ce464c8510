import { operation } from '../operation.ts';
import { Quota, QuotaPatch, QuotaPut } from '../schemas/quota.ts';
import { ProjectPath } from './parameters.ts';

const tag = 'Projects';
const path = '/projects/{project}/quota';
const answer = { 200: { description: 'The limits and the present use.', schema: Quota } };
const BELOW = 'A limit below the present use is accepted: only requests that need more are refused.';

export const getProjectQuota = operation({
  id: 'getProjectQuota',
  method: 'GET',
  path,
  tag,
  summary: 'Read the quota of a project and its present use',
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
  description: `Requires rights for all projects. ${BELOW}`,
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
  summary: 'Change some limits of a project',
  description: `Requires rights for all projects. ${BELOW}`,
  permission: 'administer',
  scope: 'project',
  effect: 'write',
  params: ProjectPath,
  body: QuotaPatch,
  responses: answer,
});
