import { z } from 'zod';
import { operation } from '../operation.ts';
import { Domain, DomainCreate, DomainPatch } from '../schemas/domain.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Domains';
const path = '/apps/{project}/{environment}/{app}/domains';
const DomainPath = AppPath.extend({ domain: z.string().describe('The domain’s number.') });

export const listDomains = operation({
  id: 'listDomains',
  method: 'GET',
  path,
  tag,
  summary: 'List an app’s own domains',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'The domains, by host and path.', schema: z.array(Domain) } },
  tool: {},
});

export const addDomain = operation({
  id: 'addDomain',
  method: 'POST',
  path,
  tag,
  summary: 'Give an app a domain',
  description:
    'Takes effect at once, without a deployment. The default host under the instance’s domain stays. A host belongs to one project; apps of that project can share it with different paths. Only an admin of all projects can add a name above or below a host of another project, or below the instance’s domain outside `<project>.<domain>`.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: DomainCreate,
  responses: { 201: { description: 'The domain.', schema: Domain, headers: { Location: 'Where it is.' } } },
  tool: { without: ['basic_auth'], reachesOut: true },
});

export const getDomain = operation({
  id: 'getDomain',
  method: 'GET',
  path: `${path}/{domain}`,
  tag,
  summary: 'Read a domain of an app',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: DomainPath,
  responses: { 200: { description: 'The domain.', schema: Domain } },
});

export const patchDomain = operation({
  id: 'patchDomain',
  method: 'PATCH',
  path: `${path}/{domain}`,
  tag,
  summary: 'Change what a domain does',
  description:
    'Acts at once, for requests that come then. Users of `basic_auth` that are not named keep their passwords.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: DomainPath,
  body: DomainPatch,
  errors: ['conflict'],
  responses: { 200: { description: 'The domain.', schema: Domain } },
  tool: {
    without: ['basic_auth'],
    description: 'Acts at once, for requests that come then. What is absent stays; null goes back to the default.',
  },
});

export const removeDomain = operation({
  id: 'removeDomain',
  method: 'DELETE',
  path: `${path}/{domain}`,
  tag,
  summary: 'Take a domain from an app',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: DomainPath,
  responses: { 204: { description: 'It is gone.' } },
  tool: {},
});
