import { z } from 'zod';
import { operation } from '../operation.ts';
import { QueryBoolean } from '../schemas/common.ts';
import { DnsProvider, DnsProviderCreate, DnsProviderPatch } from '../schemas/dns-provider.ts';
import { paging } from './parameters.ts';

const tag = 'DNS providers';
const path = '/dns-providers';
const ProviderPath = z.object({ provider: z.string().describe('ID of the DNS provider.') });
const Check = z.strictObject({
  check: QueryBoolean.optional().describe(
    'Whether Davit checks that it supports the DNS provider. The check needs the image of lego, the DNS client of Davit. Use `false` if the server cannot build this image. Default: `true`.',
  ),
});

export const listDnsProviders = operation({
  id: 'listDnsProviders',
  method: 'GET',
  path,
  tag,
  summary: 'List DNS providers',
  description:
    'Returns the DNS providers and their domains. If you have access to only some projects, you see only domains that have hosts of these projects, and only DNS providers with such domains.',
  permission: 'administer',
  scope: 'instance',
  effect: 'read',
  query: z.strictObject(paging),
  responses: { 200: { description: 'DNS providers, sorted by name.', schema: z.array(DnsProvider) } },
});

export const addDnsProvider = operation({
  id: 'addDnsProvider',
  method: 'POST',
  path,
  tag,
  summary: 'Add a DNS provider',
  description:
    'Davit stores the credentials of the DNS provider. Davit then creates DNS records to prove to the certificate authority that you control the domains and their subdomains. If the provider manages the domain of the instance, Davit requests one wildcard certificate for each environment. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'write',
  query: Check,
  body: DnsProviderCreate,
  responses: {
    201: {
      description: 'The new DNS provider.',
      schema: DnsProvider,
      headers: { Location: 'URL of the DNS provider.' },
    },
  },
  errors: ['conflict', 'check_failed'],
});

export const getDnsProvider = operation({
  id: 'getDnsProvider',
  method: 'GET',
  path: `${path}/{provider}`,
  tag,
  summary: 'Get a DNS provider',
  description: 'Returns a DNS provider and its domains, without the credentials.',
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
  summary: 'Update a DNS provider',
  description: 'Absent fields keep their values. Requires access to all projects.',
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
  summary: 'Delete a DNS provider',
  description:
    'After the deletion, existing certificates stay in use until they expire. For new certificates, Davit proves control of the domains over HTTP instead of DNS. Requires access to all projects.',
  permission: 'administer',
  scope: 'instance',
  effect: 'destroy',
  params: ProviderPath,
  responses: { 204: { description: 'The DNS provider was deleted.' } },
  errors: ['not_found'],
});
