import { z } from 'zod';
import { operation } from '../operation.ts';
import { Domain, DomainCreate, DomainPatch } from '../schemas/domain.ts';
import { AppPath, paging } from './parameters.ts';

const tag = 'Domains';
const path = '/apps/{project}/{environment}/{app}/domains';
const DomainPath = AppPath.extend({ domain: z.string().describe('ID of the domain.') });

export const listDomains = operation({
  id: 'listDomains',
  method: 'GET',
  path,
  tag,
  summary: 'List the domains of an app',
  description:
    'The list does not include the default host of the app, which is a subdomain of the domain of the instance.',
  permission: 'read',
  scope: 'app',
  effect: 'read',
  params: AppPath,
  query: z.strictObject(paging),
  responses: { 200: { description: 'Domains, sorted by host and path.', schema: z.array(Domain) } },
  tool: {},
});

export const addDomain = operation({
  id: 'addDomain',
  method: 'POST',
  path,
  tag,
  summary: 'Add a domain to an app',
  description:
    'The domain takes effect immediately, without a deployment. The app keeps its default host under the domain of the instance. A host belongs to one project; apps of the project can share the host with different paths. Only an admin with access to all projects can add a parent domain or a subdomain of a host of another project. The same applies to subdomains of the domain of the instance that do not end with `<project>.<domain>`.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: AppPath,
  body: DomainCreate,
  responses: { 201: { description: 'The new domain.', schema: Domain, headers: { Location: 'URL of the domain.' } } },
  tool: { without: ['basic_auth'], reachesOut: true },
});

export const getDomain = operation({
  id: 'getDomain',
  method: 'GET',
  path: `${path}/{domain}`,
  tag,
  summary: 'Get a domain of an app',
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
  summary: 'Update a domain of an app',
  description:
    'The body is a JSON merge patch: absent fields keep their values, and `null` resets a field to its default. The change takes effect immediately for new requests. Existing users of `basic_auth` keep their access and passwords if the body does not contain them.',
  permission: 'operate',
  scope: 'app',
  effect: 'write',
  params: DomainPath,
  body: DomainPatch,
  errors: ['conflict'],
  responses: { 200: { description: 'The domain.', schema: Domain } },
  tool: {
    without: ['basic_auth'],
    description:
      'The change takes effect immediately for new requests. Absent fields keep their values, and `null` resets a field to its default.',
  },
});

export const removeDomain = operation({
  id: 'removeDomain',
  method: 'DELETE',
  path: `${path}/{domain}`,
  tag,
  summary: 'Delete a domain of an app',
  permission: 'operate',
  scope: 'app',
  effect: 'destroy',
  params: DomainPath,
  responses: { 204: { description: 'The domain was deleted.' } },
  tool: {},
});
