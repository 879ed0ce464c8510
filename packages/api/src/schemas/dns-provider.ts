import { z } from 'zod';
import { Timestamp } from './common.ts';

/** DNS providers of `lego` that Davit refuses, because they run a command on the server or wait for user input. */
const REFUSED = ['exec', 'manual'];

const ProviderCode = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'must be the code of a DNS provider in the program lego, such as “cloudflare”')
  .refine((code) => !REFUSED.includes(code), 'must be a DNS provider with a network API')
  .describe(
    'Code of the DNS provider, for example `cloudflare` or `route53`. The documentation of lego, the DNS client of Davit, lists all codes.',
  );

/**
 * Matches environment variables that users cannot set for a DNS provider. These variables configure the `lego` client
 * or the Go runtime.
 */
const RESERVED = /^(LEGO|LD|SSL|GO|HTTP|HTTPS|NO|ALL)_|^(PATH|HOME|GODEBUG|GOMAXPROCS|TMPDIR)$/;

const Credentials = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must have a name of upper-case letters, digits and “_”')
      .refine((name) => !RESERVED.test(name), 'must not be a variable that configures lego or its runtime')
      /*
       * A variable that ends with `_FILE` is refused. Otherwise, `lego` could read a secret file and send its content
       * to the DNS provider.
       */
      .refine((name) => !name.endsWith('_FILE'), 'must not end in “_FILE”: send the value instead of a file'),
    z
      .string()
      .min(1)
      .max(8_192)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse NUL
      .regex(/^[^\u0000]*$/, 'must not contain NUL'),
  )
  .refine((all) => Object.keys(all).length >= 1, 'must have at least one variable')
  .refine((all) => Object.keys(all).length <= 20, 'must have at most 20 variables')
  .describe(
    'Credentials of the DNS provider as environment variables, for example `CF_DNS_API_TOKEN`. The documentation of lego, the DNS client of Davit, lists the variables of each provider. Davit stores the values encrypted, and no response contains them.',
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
    'Domains that the DNS provider manages. Davit uses the provider for certificates of these domains and their subdomains.',
  );

const ProviderName = z
  .string()
  .min(1)
  .max(60)
  .regex(
    /^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/,
    'must contain only lower-case letters, digits and hyphens, with no hyphen at the start or end',
  )
  .describe('Name of the DNS provider in this instance.');

const CheckPropagation = z
  .boolean()
  .describe(
    'Whether Davit waits until the name servers of the domain return the new DNS record. The certificate authority checks the record after this. `false`: the certificate authority checks the record immediately.',
  );

export const DnsProvider = z
  .object({
    id: z.int().describe('ID of the DNS provider.'),
    name: z.string(),
    provider: z.string().describe('Code of the DNS provider, for example `cloudflare`.'),
    variables: z
      .array(z.string())
      .describe('Names of the stored credentials, for example `CF_DNS_API_TOKEN`. No response contains their values.'),
    domains: z.array(z.string()),
    check_propagation: CheckPropagation,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({
    id: 'DnsProvider',
    description:
      'DNS provider of your domains. Through the API of the provider, Davit creates DNS records that prove control of the domains.',
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
    credentials: Credentials.optional().describe('New credentials, which replace all stored credentials.'),
    domains: Zones.optional(),
    check_propagation: CheckPropagation.optional(),
  })
  .meta({ id: 'DnsProviderPatch', description: 'Fields to change. Absent fields do not change.' });
export type DnsProviderPatch = z.infer<typeof DnsProviderPatch>;
