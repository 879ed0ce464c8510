import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { Registry, RegistryCreate, RegistryPatch } from '../schemas/registry.ts';
import { paging } from './parameters.ts';

const tag = 'Registries';
const RegistryNumber = z.object({ registry: z.string().describe('The registry’s number.') });
const Check = z.strictObject({
  check: QueryBoolean.optional().describe(
    '`false` skips the check of the credentials, for a registry that cannot be reached now.',
  ),
});

export const listRegistries = operation({
  id: 'listRegistries',
  method: 'GET',
  path: '/registries',
  tag,
  summary: 'List the registries with stored credentials',
  description: 'Credentials that are used by a project that you cannot see are not listed.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The registries, by host.', schema: z.array(Registry) } },
});

export const addRegistry = operation({
  id: 'addRegistry',
  method: 'POST',
  path: '/registries',
  tag,
  summary: 'Store the credentials of a registry',
  description:
    'Davit pulls images of that host with these credentials from now on, in all projects or in the listed ones. Davit checks the credentials at the registry first, and does not store them if the registry refuses them.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: RegistryCreate,
  errors: ['check_failed'],
  responses: { 201: { description: 'The registry.', schema: Registry, headers: { Location: 'Where it is.' } } },
});

export const getRegistry = operation({
  id: 'getRegistry',
  method: 'GET',
  path: '/registries/{registry}',
  tag,
  summary: 'Read a registry, without its password',
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
  summary: 'Change the credentials of a registry',
  description: 'They are checked as when they are stored; an empty change checks what is stored.',
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
  summary: 'Forget the credentials of a registry',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: RegistryNumber,
  responses: { 204: { description: 'They are gone.' } },
  errors: ['not_found'],
});
