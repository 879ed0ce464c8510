import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Registry, RegistryCreate, RegistryPatch } from '../schemas/registry.ts';
import { paging } from './parameters.ts';

const tag = 'Registries';
const RegistryNumber = z.object({ registry: z.string().describe('ID of the registry.') });
const Check = z.strictObject({
  check: QueryBoolean.optional().describe(
    '`false` skips the check of the credentials. Use `false` if the registry is currently unavailable. Default: `true`.',
  ),
});

export const listRegistries = operation({
  id: 'listRegistries',
  method: 'GET',
  path: '/registries',
  tag,
  summary: 'List registries',
  description:
    'Returns the registries that Davit has credentials for. Credentials of projects that the caller cannot access are not included.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'Registries, sorted by host.', schema: z.array(Registry) } },
});

export const addRegistry = operation({
  id: 'addRegistry',
  method: 'POST',
  path: '/registries',
  tag,
  summary: 'Add a registry',
  description:
    'Davit stores the credentials and uses them to pull images from the host of the registry. The credentials apply to all projects, or to the projects in the request. Davit first checks the credentials at the registry. If the registry refuses the credentials, Davit does not store them. To add credentials for all projects, you need access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: RegistryCreate,
  errors: ['check_failed'],
  responses: {
    201: { description: 'The new registry.', schema: Registry, headers: { Location: 'URL of the registry.' } },
  },
});

export const getRegistry = operation({
  id: 'getRegistry',
  method: 'GET',
  path: '/registries/{registry}',
  tag,
  summary: 'Get a registry',
  description: 'Returns the stored credentials of a registry, without the password.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  params: RegistryNumber,
  responses: { 200: { description: 'The registry.', schema: Registry } },
  errors: ['not_found'],
});

export const patchRegistry = operation({
  id: 'patchRegistry',
  method: 'PATCH',
  path: '/registries/{registry}',
  tag,
  summary: 'Update a registry',
  description:
    'Davit checks the changed credentials at the registry before storing them. To check only the stored credentials, send `{}` as the body.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: RegistryNumber,
  query: Check,
  body: RegistryPatch,
  responses: { 200: { description: 'The registry.', schema: Registry } },
  errors: ['not_found', 'conflict', 'check_failed'],
});

export const removeRegistry = operation({
  id: 'removeRegistry',
  method: 'DELETE',
  path: '/registries/{registry}',
  tag,
  summary: 'Delete a registry',
  description: 'Davit deletes the stored credentials of the registry.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: RegistryNumber,
  responses: { 204: { description: 'The credentials were deleted.' } },
  errors: ['not_found'],
});
