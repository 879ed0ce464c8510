import { z } from 'zod';
import { DomainCertificate } from './certificate.ts';
import { Port, Timestamp } from './common.ts';
import { partial } from './partial.ts';

const YEAR_S = 365 * 24 * 3_600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what this refuses
const PLAIN = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
const plain = (most: number) =>
  z
    .string()
    .max(most, `must be at most ${most} characters`)
    .regex(PLAIN, 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be text');

export const DomainProtocol = z
  .enum(['http', 'h2c'])
  .describe('How the app is spoken to: `h2c` for gRPC and other HTTP/2 without TLS.');

export const DomainHttps = z
  .enum(['auto', 'only', 'both'])
  .describe(
    'What plain HTTP is answered. `auto`: it is sent to HTTPS once there is a valid certificate. `only`: always. `both`: never.',
  );

export const Hsts = z
  .strictObject({
    max_age_s: z
      .int()
      .min(0)
      .max(10 * YEAR_S)
      .default(YEAR_S / 2)
      .describe('How long browsers keep to HTTPS.'),
    include_subdomains: z.boolean().default(false),
    preload: z.boolean().default(false).describe('Takes `include_subdomains` and a year at least.'),
  })
  .refine(({ preload, include_subdomains, max_age_s }) => !preload || (include_subdomains && max_age_s >= YEAR_S), {
    path: ['preload'],
    error: `takes include_subdomains and a max_age_s of at least ${YEAR_S}`,
  })
  .describe('`Strict-Transport-Security`, on answers over HTTPS alone. Null: none.');

/** Of one domain: each is a hash that the proxy compares with. */
const MOST_USERS = 100;

const UserName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x20-\x39\x3b-\x7e]+$/, 'must be printable ASCII without «:»');

export const BasicAuth = z
  .strictObject({
    users: z
      .record(UserName, plain(256).min(1, 'must not be empty'))
      .refine((users) => Object.keys(users).length >= 1, 'must have a user; null takes the whole off')
      .refine((users) => Object.keys(users).length <= MOST_USERS, `must be at most ${MOST_USERS} users`)
      .describe('Passwords by name; they are not answered.'),
  })
  .describe('Who may enter, by name and password. Null: everybody.');

export type BasicAuth = z.infer<typeof BasicAuth>;

const RateLimit = z
  .strictObject({ requests_per_minute: z.int().min(1).max(1_000_000) })
  .describe('Of one client address; what goes beyond is answered 429. Null: none.');

const Maintenance = z
  .strictObject({
    message: plain(500)
      .min(1)
      .default('This site is being worked on; please come back soon.')
      .describe('What the page says.'),
  })
  .describe('Every request is answered 503 with a page. Null: the app answers.');

/** What the proxy itself decides, what another field says, and what would be one visitor's for all of them. */
const REFUSED_HEADERS = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'content-length', 'content-encoding', 'content-range', 'date', 'host'],
  ...['location', 'set-cookie', 'clear-site-data', 'strict-transport-security', 'www-authenticate'],
];
const MOST_HEADERS = 50;

const HeaderName = z
  .string()
  .max(100, 'must be at most 100 characters')
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header’s name')
  .refine(
    (name) => !REFUSED_HEADERS.includes(name.toLowerCase()),
    'must be a header that is not part of how an answer is sent, nor has a field of its own',
  );
const HeaderValue = z
  .string()
  .max(2_000, 'must be at most 2000 characters')
  .regex(/^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/, 'must be printable ASCII without spaces around it');

/** What a domain does besides leading to an app; a default each. */
const settings = {
  path: z
    .string()
    .max(255, 'must be at most 255 characters')
    .nullable()
    .default(null)
    .describe('Only what is at and below this path, such as `/shop`; of several the longest counts. Null: every path.'),
  port: Port.nullable().default(null).describe('Null: the app’s port.'),
  protocol: DomainProtocol.default('http'),
  https: DomainHttps.default('auto'),
  hsts: Hsts.nullable().default(null),
  redirect_to: z
    .string()
    .min(1)
    .max(255)
    .nullable()
    .default(null)
    .describe(
      'A host name that every request is sent to, with its path and query, such as `shop.com` of `www.shop.com`.',
    ),
  basic_auth: BasicAuth.nullable().default(null),
  allow: z
    .array(z.string().max(50))
    .max(1_000, 'must be at most 1000 addresses')
    .default([])
    .describe('Addresses and networks such as `10.0.0.0/8`; anybody else is answered 403. Empty: everybody.'),
  rate_limit: RateLimit.nullable().default(null),
  maintenance: Maintenance.nullable().default(null),
  headers: z
    .record(HeaderName, HeaderValue)
    .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, `must be at most ${MOST_HEADERS} headers`)
    .default({})
    .describe('Set on every answer; an empty value takes that header off.'),
};

export const DomainSettings = z.strictObject(settings);
export type DomainSettings = z.infer<typeof DomainSettings>;

const Host = z.string().min(1).max(255).describe('A host name such as `shop.example.com`, that no project has yet.');

export const DomainCreate = z.strictObject({ host: Host, ...settings }).meta({ id: 'DomainCreate' });
export type DomainCreate = z.infer<typeof DomainCreate>;

/** The objects without their null, so that a patch lays its fields over what is there. */
export const DomainPatch = partial({
  ...settings,
  hsts: z.strictObject(Hsts.shape).describe(Hsts.description ?? ''),
  basic_auth: z.strictObject({
    users: z.record(UserName, plain(256).min(1, 'must not be empty')).describe('Null takes a user off.'),
  }),
  rate_limit: RateLimit,
  maintenance: Maintenance,
}).meta({ id: 'DomainPatch', description: 'A JSON merge patch: what is absent stays, null goes back to the default.' });
export type DomainPatch = z.infer<typeof DomainPatch>;

/** As it stands in its app. */
export const AppDomain = z
  .object({
    id: z.int().describe('Its number in paths.'),
    host: z.string().describe('Lower case; international names in their ASCII form.'),
    path: z.string().nullable().describe('In its one spelling. Null: every path.'),
    port: z.int().nullable().describe('Null: the app’s port.'),
    protocol: DomainProtocol,
    https: DomainHttps,
    hsts: z
      .object({ max_age_s: z.int(), include_subdomains: z.boolean(), preload: z.boolean() })
      .nullable()
      .describe('Null: none.'),
    redirect_to: z.string().nullable(),
    basic_auth: z
      .object({ users: z.array(z.string()).describe('Their names.') })
      .nullable()
      .describe('Null: everybody may enter.'),
    allow: z.array(z.string()).describe('In their one spelling. Empty: everybody.'),
    rate_limit: z.object({ requests_per_minute: z.int() }).nullable(),
    maintenance: z.object({ message: z.string() }).nullable(),
    headers: z.record(z.string(), z.string()).describe('By lower-case name.'),
    created_at: Timestamp,
  })
  .meta({ id: 'AppDomain' });
export type AppDomain = z.infer<typeof AppDomain>;

export const Domain = z
  .object({ ...AppDomain.shape, certificate: DomainCertificate.describe('How it stands with the host’s certificate.') })
  .meta({ id: 'Domain' });
export type Domain = z.infer<typeof Domain>;
