import { z } from 'zod';
import { Timestamp } from './common.ts';

/** These run a command or ask a person, on the machine of the instance. */
const REFUSED = ['exec', 'manual'];

const ProviderCode = z
  .string()
  .max(60)
  .regex(/^[a-z0-9-]+$/, 'must be the code of a provider of lego, such as «cloudflare»')
  .refine((code) => !REFUSED.includes(code), 'must be a provider that is asked over the network')
  .describe('The code of a provider that lego knows, such as `cloudflare` or `route53`.');

/**
 * What steers the program or its runtime is the instance's to set. A name that ends in `_FILE` is refused too: lego would
 * read any file of its container, the key of the ACME account among them, and send it to the provider.
 */
const RESERVED = /^(LEGO|LD|SSL|GO|HTTP|HTTPS|NO|ALL)_|^(PATH|HOME|GODEBUG|GOMAXPROCS|TMPDIR)$/;

const Credentials = z
  .record(
    z
      .string()
      .max(100)
      .regex(/^[A-Z][A-Z0-9_]*$/, 'must be named in upper-case letters, digits and «_»')
      .refine((name) => !RESERVED.test(name), 'must not be a variable of the program itself')
      .refine((name) => !name.endsWith('_FILE'), 'must not end in «_FILE»: give the value itself'),
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
    'The variables that lego reads for this provider, such as `CF_DNS_API_TOKEN`. Kept sealed and never answered.',
  );

const ZoneName = z
  .string()
  .max(253)
  .toLowerCase()
  .regex(
    /^([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a domain such as «example.com»',
  );

const Zones = z
  .array(ZoneName)
  .min(1)
  .max(100)
  .describe('The domains whose records it can write. Names at and below them are proven through it.');

const ProviderName = z
  .string()
  .min(1)
  .max(60)
  .regex(/^[a-z0-9]([a-z0-9-]*[a-z0-9])?$/, 'must be lower-case letters, digits and inner hyphens')
  .describe('How people call it.');

const CheckPropagation = z
  .boolean()
  .describe('Whether to wait until the domain’s own servers answer with the record before the authority is told.');

export const DnsProvider = z
  .object({
    id: z.int().describe('Its number in paths.'),
    name: z.string(),
    provider: z.string().describe('The code of a provider that lego knows.'),
    variables: z.array(z.string()).describe('The names of its credentials.'),
    domains: z.array(z.string()),
    check_propagation: CheckPropagation,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'DnsProvider', description: 'Where records of a domain are written, to prove that it is ours.' });
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
    credentials: Credentials.optional().describe('Replaces all of them.'),
    domains: Zones.optional(),
    check_propagation: CheckPropagation.optional(),
  })
  .meta({ id: 'DnsProviderPatch', description: 'What is absent stays.' });
export type DnsProviderPatch = z.infer<typeof DnsProviderPatch>;
