import { z } from 'zod';
import { DomainCertificate } from './certificate.ts';
import { Port, Timestamp } from './common.ts';
import { partial } from './partial.ts';

const YEAR_S = 365 * 24 * 3_600;

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must refuse control characters
const PLAIN = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029]*$/;
const plain = (most: number) =>
  z
    .string()
    .max(most, `must be at most ${most} characters`)
    .regex(PLAIN, 'must not contain control characters')
    .refine((text) => text.isWellFormed(), 'must be valid Unicode text');

export const DomainProtocol = z
  .enum(['http', 'h2c'])
  .describe('Protocol between the proxy and the app. `h2c`: HTTP/2 without TLS, for example for gRPC.');

export const DomainHttps = z
  .enum(['auto', 'only', 'both'])
  .describe(
    'Redirects from HTTP to HTTPS. `auto`: redirect if a valid certificate exists. `only`: always redirect. `both`: never redirect.',
  );

export const Hsts = z
  .strictObject({
    max_age_s: z
      .int()
      .min(0)
      .max(10 * YEAR_S)
      .default(YEAR_S / 2)
      .describe(
        'Value of `max-age` in the HSTS header: time in seconds during which browsers use only HTTPS for the host.',
      ),
    include_subdomains: z.boolean().default(false),
    preload: z
      .boolean()
      .default(false)
      .describe(
        'Whether browsers may add the host to their HSTS preload lists. Requires `include_subdomains` and a `max_age_s` of at least one year.',
      ),
  })
  .refine(({ preload, include_subdomains, max_age_s }) => !preload || (include_subdomains && max_age_s >= YEAR_S), {
    path: ['preload'],
    error: `requires include_subdomains and a max_age_s of at least ${YEAR_S}`,
  })
  .describe('Header `Strict-Transport-Security` of responses over HTTPS. `null`: no header.');

/**
 * Maximum number of users for HTTP basic authentication per domain. HAProxy hashes the password in each request, so
 * more users would need too much CPU time.
 */
const MOST_USERS = 100;

const UserName = z
  .string()
  .min(1)
  .max(128)
  .regex(/^[\x20-\x39\x3b-\x7e]+$/, 'must contain only printable ASCII characters, without “:”');

export const BasicAuth = z
  .strictObject({
    users: z
      .record(UserName, plain(256).min(1, 'must not be empty'))
      .refine(
        (users) => Object.keys(users).length >= 1,
        'must have at least one user. To remove the authentication, send null for basic_auth',
      )
      .refine((users) => Object.keys(users).length <= MOST_USERS, `must have at most ${MOST_USERS} users`)
      .describe('Map of user name to password. No response contains the passwords.'),
  })
  .describe('Users who may access the host, with passwords (HTTP basic authentication). `null`: no authentication.');

export type BasicAuth = z.infer<typeof BasicAuth>;

const RateLimit = z
  .strictObject({ requests_per_minute: z.int().min(1).max(1_000_000) })
  .describe(
    'Maximum number of requests per minute of one client address. The proxy answers further requests with 429. `null`: no limit.',
  );

const Maintenance = z
  .strictObject({
    message: plain(500)
      .min(1)
      .default('This site is being worked on; please come back soon.')
      .describe('Text of the maintenance page.'),
  })
  .describe(
    'Maintenance mode: the proxy answers every request with the status 503 and the maintenance page. `null`: off.',
  );

/**
 * Response headers that users cannot set for a domain. The proxy or another setting sets these headers, or their value
 * differs for each visitor (`set-cookie`).
 */
const REFUSED_HEADERS = [
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection', 'te', 'trailer'],
  ...['transfer-encoding', 'upgrade', 'content-length', 'content-encoding', 'content-range', 'date', 'host'],
  ...['location', 'set-cookie', 'clear-site-data', 'strict-transport-security', 'www-authenticate'],
];
const MOST_HEADERS = 50;

const HeaderName = z
  .string()
  .max(100, 'must be at most 100 characters')
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header')
  .refine(
    (name) => !REFUSED_HEADERS.includes(name.toLowerCase()),
    'must not be a header that the proxy sets, or that another field of the domain sets',
  );
const HeaderValue = z
  .string()
  .max(2_000, 'must be at most 2000 characters')
  .regex(
    /^([\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?)?$/,
    'must contain only printable ASCII characters, without spaces at the start or end',
  );

/** Settings of a domain. Each setting has a default. */
const settings = {
  path: z
    .string()
    .max(255, 'must be at most 255 characters')
    .nullable()
    .default(null)
    .describe(
      'Path prefix, for example `/shop`. The app receives only requests for this path and paths below it. If several path prefixes match a request, the longest prefix takes precedence. `null`: all paths.',
    ),
  port: Port.nullable()
    .default(null)
    .describe('Port of the app that receives the requests. `null`: the port in the settings of the app.'),
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
      'Host to which the proxy redirects all requests, for example `shop.com` for the domain `www.shop.com`. The path and the query stay the same. `null`: no redirect.',
    ),
  basic_auth: BasicAuth.nullable().default(null),
  allow: z
    .array(z.string().max(50))
    .max(1_000, 'must have at most 1000 addresses')
    .default([])
    .describe(
      'Client addresses and networks that may access the host, for example `10.0.0.0/8`. The proxy answers other clients with 403. Empty: all clients.',
    ),
  rate_limit: RateLimit.nullable().default(null),
  maintenance: Maintenance.nullable().default(null),
  headers: z
    .record(HeaderName, HeaderValue)
    .refine((headers) => Object.keys(headers).length <= MOST_HEADERS, `must have at most ${MOST_HEADERS} headers`)
    .default({})
    .describe('Headers to set on every response. An empty value removes the header.'),
};

export const DomainSettings = z.strictObject(settings);
export type DomainSettings = z.infer<typeof DomainSettings>;

const Host = z
  .string()
  .min(1)
  .max(255)
  .describe('Host name, for example `shop.example.com`. No other project may use the host.');

export const DomainCreate = z.strictObject({ host: Host, ...settings }).meta({ id: 'DomainCreate' });
export type DomainCreate = z.infer<typeof DomainCreate>;

/**
 * JSON merge patch for a domain. Here, fields with an object need a schema without `null`. Otherwise, a patch could not
 * change a single field of the object.
 */
export const DomainPatch = partial({
  ...settings,
  hsts: z.strictObject(Hsts.shape).describe(Hsts.description ?? ''),
  basic_auth: z.strictObject({
    users: z
      .record(UserName, plain(256).min(1, 'must not be empty'))
      .describe('Map of user name to password. To remove a user, send `null` as the password.'),
  }),
  rate_limit: RateLimit,
  maintenance: Maintenance,
}).meta({
  id: 'DomainPatch',
  description: 'JSON merge patch. Absent fields do not change, and `null` restores the default.',
});
export type DomainPatch = z.infer<typeof DomainPatch>;

/** Domain of an app in the API response for the app. */
export const AppDomain = z
  .object({
    id: z.int().describe('ID of the domain.'),
    host: z.string().describe('Host name in lower case. International names are in their ASCII form (`xn--…`).'),
    path: z
      .string()
      .nullable()
      .describe(
        'Path prefix of the requests that the app receives, without a slash at the end, for example `/shop`. `null`: all paths.',
      ),
    port: z
      .int()
      .nullable()
      .describe('Port of the app that receives the requests. `null`: the port in the settings of the app.'),
    protocol: DomainProtocol,
    https: DomainHttps,
    hsts: z
      .object({ max_age_s: z.int(), include_subdomains: z.boolean(), preload: z.boolean() })
      .nullable()
      .describe('Header `Strict-Transport-Security` of responses over HTTPS. `null`: no header.'),
    redirect_to: z.string().nullable(),
    basic_auth: z
      .object({ users: z.array(z.string()).describe('Names of the users who may access the host.') })
      .nullable()
      .describe('HTTP basic authentication of the host. `null`: no authentication.'),
    allow: z
      .array(z.string())
      .describe(
        'IP addresses and networks of clients that may access the host. Davit normalizes networks, for example `10.1.2.3/8` to `10.0.0.0/8`. Empty: all clients.',
      ),
    rate_limit: z.object({ requests_per_minute: z.int() }).nullable(),
    maintenance: z.object({ message: z.string() }).nullable(),
    headers: z
      .record(z.string(), z.string())
      .describe('Headers that the proxy sets on every response, as a map of lower-case name to value.'),
    created_at: Timestamp,
  })
  .meta({ id: 'AppDomain' });
export type AppDomain = z.infer<typeof AppDomain>;

export const Domain = z
  .object({ ...AppDomain.shape, certificate: DomainCertificate.describe('State of the certificate of the host.') })
  .meta({ id: 'Domain' });
export type Domain = z.infer<typeof Domain>;
