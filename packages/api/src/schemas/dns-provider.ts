import { z } from 'zod';
import { Timestamp } from './common.ts';

/** Providers that run a command or ask a person on the server. */
const REFUSED = ['exec', 'manual'];

const ProviderCode = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'must be the code of a provider of lego, such as “cloudflare”')
  .refine((code) => !REFUSED.includes(code), 'must be a provider that is asked over the network')
  .describe('Code of the DNS provider in lego, for example `cloudflare` or `route53`.');

/**
 * Variables that configure the program or its runtime, which only the instance may set. Names with the suffix `_FILE`
 * are also refused. lego would read any such file of its container, for example the key of the ACME account, and send
 * it to the provider.
 */
const RESERVED = /^(LEGO|LD|SSL|GO|HTTP|HTTPS|NO|ALL)_|^(PATH|HOME|GODEBUG|GOMAXPROCS|TMPDIR)$/;

const Credentials = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be named in upper-case letters, digits and “_”')
      .refine((name) => !RESERVED.test(name), 'must not be a variable of the program itself')
      .refine((name) => !name.endsWith('_FILE'), 'must not end in “_FILE”: give the value itself'),
    z
      .string()
      .min(1)
      .max(8_192)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what this refuses
      .regex(/^[^\u0000]*$/, 'must not contain NUL'),
  )
  .refine((all) => Object.keys(all).length >= 1, 'must have at least one variable')
  .refine((all) => Object.keys(all).length <= 20, 'must have at most 20 variables')
  .describe(
    'Variables that lego needs for this provider, for example `CF_DNS_API_TOKEN`. They are stored encrypted, and no response contains the values.',
  );

const ZoneName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a domain such as “example.com”',
  );

const Zones = z
  .array(ZoneName)
  .min(1)
  .max(100)
  .describe(
    'Domains whose DNS records the provider can change. It is used for certificates of these domains and all names below them.',
  );

const ProviderName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
  .describe('Name of the DNS provider in this instance.');

const CheckPropagation = z
  .boolean()
  .describe(
    'Whether to wait until the name servers of the domain return the new record before the certificate authority checks it.',
  );

export const DnsProvider = z
  .object({
    id: z.int().describe('Number of the DNS provider.'),
    name: z.string(),
    provider: z.string().describe('Code of the DNS provider in lego.'),
    variables: z.array(z.string()).describe('Names of the stored variables.'),
    domains: z.array(z.string()),
    check_propagation: CheckPropagation,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'DnsProvider',
    description: 'DNS provider whose API changes records, to prove that a domain belongs to the instance.',
  });
export type DnsProvider = z.infer<typeof DnsProvider>;

export const DnsProviderCreate = z
  .strictObject({
    name: ProviderName,
    provider: ProviderCode,
    credentials: Credentials,
    domains: Zones,
    check_propagation: CheckPropagation.default(true),
  })
  .meta({ id: 'DnsProviderCreate' });
export type DnsProviderCreate = z.infer<typeof DnsProviderCreate>;

export const DnsProviderPatch = z
  .strictObject({
    name: ProviderName.optional(),
    provider: ProviderCode.optional(),
    credentials: Credentials.optional().describe('New variables, which replace all stored ones.'),
    domains: Zones.optional(),
    check_propagation: CheckPropagation.optional(),
  })
  .meta({ id: 'DnsProviderPatch', description: 'Fields to change. Absent fields do not change.' });
export type DnsProviderPatch = z.infer<typeof DnsProviderPatch>;
