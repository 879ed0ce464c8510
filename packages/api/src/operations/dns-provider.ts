import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { DnsProvider, DnsProviderCreate, DnsProviderPatch } from '../schemas/dns-provider.ts';
import { paging } from './parameters.ts';

const tag = 'DNS providers';
const path = '/dns-providers';
const ProviderPath = z.object({ provider: z.string().describe('The DNS provider’s number.') });
const Check = z.strictObject({
  check: QueryBoolean.optional().describe(
    'False: do not look whether the program knows the provider, for a machine that cannot build its image right now.',
  ),
});

export const listDnsProviders = operation({
  id: 'listDnsProviders',
  method: 'GET',
  path,
  tag,
  summary: 'List the DNS providers',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'The DNS providers, by name.', schema: z.array(DnsProvider) } },
});

export const addDnsProvider = operation({
  id: 'addDnsProvider',
  method: 'POST',
  path,
  tag,
  summary: 'Store the credentials of a DNS provider',
  description:
    'Names at and below its domains are proven by records from now on. Where the instance’s domain is among them, each environment has one wildcard certificate.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: DnsProviderCreate,
  responses: {
    201: { description: 'The DNS provider.', schema: DnsProvider, headers: { Location: 'Where it is.' } },
  },
  errors: ['conflict', 'check_failed'],
});

export const getDnsProvider = operation({
  id: 'getDnsProvider',
  method: 'GET',
  path: `${path}/{provider}`,
  tag,
  summary: 'Read a DNS provider, without its credentials',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  params: ProviderPath,
  responses: { 200: { description: 'The DNS provider.', schema: DnsProvider } },
  errors: ['not_found'],
});

export const patchDnsProvider = operation({
  id: 'patchDnsProvider',
  method: 'PATCH',
  path: `${path}/{provider}`,
  tag,
  summary: 'Change a DNS provider',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  params: ProviderPath,
  query: Check,
  body: DnsProviderPatch,
  responses: { 200: { description: 'The DNS provider.', schema: DnsProvider } },
  errors: ['not_found', 'conflict', 'check_failed'],
});

export const removeDnsProvider = operation({
  id: 'removeDnsProvider',
  method: 'DELETE',
  path: `${path}/{provider}`,
  tag,
  summary: 'Forget a DNS provider',
  description: 'What was issued through it is served until it expires; from then on names are proven over HTTP.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: ProviderPath,
  responses: { 204: { description: 'It is gone.' } },
  errors: ['not_found'],
});
