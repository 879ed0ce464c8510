import { z } from 'zod';
import { partial } from './partial.ts';
import { PrivateHost } from './private-host.ts';
import { Cron, TimeZone } from './schedule.ts';

const MIB = 1024 * 1024;

/** Where certificates are ordered unless told otherwise. */
export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

const HostName = z
  .string()
  .max(200)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a host name such as «davit.example.com»',
  );

const Address = z.union([z.ipv4(), z.ipv6()], 'must be an IPv4 or IPv6 address');

const HostAccess = z
  .strictObject({
    address: Address.describe(
      'IPv4 or IPv6 address of the server. Not a link-local, loopback or multicast address, nor the address of a metadata service of a cloud.',
    ),
    port: z.int().min(1).max(65_535).describe('Port on that address.'),
    protocol: z.enum(['tcp', 'udp']).default('tcp').describe('Transport protocol.'),
  })
  .meta({ id: 'HostAccess', description: 'Service of the server that containers may reach.' });

const NO_SERVER = 'must be an address, with a port where it has one';

/** `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. */
function isServer(text: string): boolean {
  const [, six, four, port = '53'] = /^(?:\[(.*)\]|([^:]*))(?::(\d+))?$/.exec(text) ?? [];
  const address = six === undefined ? z.ipv4().safeParse(four) : z.ipv6().safeParse(six);
  return address.success && Number(port) >= 1 && Number(port) <= 65_535;
}

const PEM = /^\s*(-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----\s*)+$/;

const Acme = z.strictObject({
  email: z
    .email('must be an e-mail address')
    .max(254)
    .nullable()
    .default(null)
    .describe(
      'Where the authority writes about the account. Setting it agrees to the terms of the authority; null: no certificate is ordered.',
    ),
  directory: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .max(500)
    .default(LETS_ENCRYPT)
    .describe('The ACME directory of the authority.'),
  trusted_ca: z
    .string()
    .max(64 * 1024)
    .regex(PEM, 'must be certificates in PEM')
    .nullable()
    .default(null)
    .describe('PEM: who to trust when a private authority is spoken to, besides those that everybody trusts.'),
  resolver: z
    .string()
    .max(60)
    .refine(isServer, NO_SERVER)
    .nullable()
    .default(null)
    .describe(
      'The DNS server that is asked how the world sees a name, `192.0.2.1` or `192.0.2.1:53`; null: the machine’s.',
    ),
});

/** Times of a day, and not more than that: who wants it otherwise calls for a collection when he wants one. */
function isDailyCron(text: string): boolean {
  const numbers = (field: string, most: number) =>
    field.split(',').every((n) => /^\d{1,2}$/.test(n) && Number(n) <= most);
  const [minute = '', hour = '', ...rest] = text.split(/ +/);
  return numbers(minute, 59) && (hour === '*' || numbers(hour, 23)) && rest.join(' ') === '* * *';
}

const Networks = z
  .array(
    z
      .string()
      .max(50)
      .regex(/^[0-9A-Fa-f.:/]+$/, 'must be an address or a network, such as 10.0.0.0/8'),
  )
  .max(100)
  .default([]);

/**
 * What an admin may set for the whole instance: every bound of what is kept, and of what callers may take. A default
 * each, so an empty object is the default instance.
 */
export const InstanceSettings = z
  .strictObject({
    domain: HostName.nullable()
      .default(null)
      .describe('The instance’s own host; apps get hosts below it. Null: DAVIT_DOMAIN, or what stands in for it.'),
    public_address: Address.nullable()
      .default(null)
      .describe('Under which address the world reaches this machine, where it has none such of its own.'),
    trusted_proxies: z
      .strictObject({
        forwarded_for: Networks.describe(
          'Addresses and networks (CIDR) of load balancers, content networks and tunnels whose `X-Forwarded-For` header is trusted. The client is the rightmost address in it that is not in one of these networks.',
        ),
        proxy_protocol: Networks.describe(
          'Addresses and networks (CIDR) whose connections begin with the PROXY protocol, version 1 or 2. Connections from there without it are closed.',
        ),
      })
      .prefault({})
      .describe('Trusted proxies in front of the instance, which report the address of the client. Default: none.'),
    acme: Acme.prefault({}).describe('Who certificates are ordered from.'),
    host_access: z
      .array(HostAccess)
      .max(100)
      .default([])
      .describe(
        'Services of the server that containers may reach, besides the ports of the proxy, the TCP ports of apps, and port 53 of the server if its `resolv.conf` names one of its own addresses.',
      ),
    logs: z
      .strictObject({
        bytes_per_app: z
          .int()
          .min(MIB)
          .max(1024 * 1024 * MIB)
          .default(256 * MIB)
          .describe('The most that the kept logs of one app take on disk, compressed.'),
        days: z.int().min(1).max(3_650).default(30).describe('How long lines are kept.'),
        daemon_bytes: z
          .int()
          .min(MIB)
          .max(1024 * MIB)
          .default(32 * MIB)
          .describe('From this size on the daemon’s own log is put aside, in place of the one before.'),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        interval_s: z.int().min(5).max(300).default(10).describe('How often instances are measured.'),
      })
      .prefault({}),
    audit: z
      .strictObject({ days: z.int().min(30).max(3_650).default(400).describe('How long rows are kept.') })
      .prefault({}),
    deployments: z
      .strictObject({
        per_app: z.int().min(20).max(100_000).default(1_000).describe('How many records are kept of each app.'),
      })
      .prefault({}),
    runs: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(10_000)
          .default(100)
          .describe('How many records are kept of commands of each app.'),
        per_schedule: z.int().min(1).max(1_000).default(20).describe('How many records are kept of each schedule.'),
      })
      .prefault({}),
    revisions: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(100_000)
          .default(1_000)
          .describe('How many revisions are kept of each app, besides those that a kept deployment names.'),
      })
      .prefault({}),
    events: z
      .strictObject({
        kept: z.int().min(1_000).max(10_000_000).default(100_000).describe('How far back a stream can be resumed.'),
      })
      .prefault({}),
    images: z
      .strictObject({
        keep: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .describe('How many releases of an app keep their image, besides the live one.'),
        forget_pulled: z
          .boolean()
          .default(true)
          .describe('Whether the names under which images were pulled go with them; without, they stay on the disk.'),
      })
      .prefault({}),
    disk: z
      .strictObject({
        warn_percent: z.int().min(1).max(100).default(80).describe('From this use on the instance warns.'),
        refuse_percent: z.int().min(1).max(100).default(95).describe('From this use on no new release is deployed.'),
      })
      .refine(({ warn_percent, refuse_percent }) => warn_percent <= refuse_percent, {
        path: ['warn_percent'],
        error: 'must be at most refuse_percent',
      })
      .prefault({}),
    volumes: z
      .strictObject({
        trash_days: z.int().min(0).max(365).default(7).describe('How long a deleted volume can be brought back.'),
      })
      .prefault({}),
    databases: z
      .strictObject({
        trash_days: z
          .int()
          .min(0)
          .max(365)
          .default(7)
          .describe('How long a deleted database, or an object store of the instance’s own, can be brought back.'),
      })
      .prefault({}),
    tasks: z
      .strictObject({
        kept: z.int().min(100).max(1_000_000).default(5_000).describe('How many records of ended tasks are kept.'),
      })
      .prefault({}),
    registry: z
      .strictObject({
        keep_tags: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(50)
          .describe('How many of the newest tags are kept of each app, besides those that are needed. 0: all.'),
        deleted_days: z.int().min(0).max(3_650).default(7).describe('How long the releases of a deleted app are kept.'),
        push_minutes: z
          .int()
          .min(0)
          .max(1_440)
          .default(10)
          .describe('What was pushed, or begun to be, so recently is left alone by a collection.'),
        collect_cron: Cron.refine(isDailyCron, 'must be minute and hour of each day, such as «30 3 * * *»')
          .default('30 3 * * *')
          .describe('When what nothing needs is removed: minute and hour, each a number or several with commas.'),
        time_zone: TimeZone.default('UTC').describe('Of `collect_cron`.'),
      })
      .prefault({}),
    registries: z
      .strictObject({
        private_hosts: z
          .array(PrivateHost)
          .max(100)
          .default([])
          .describe(
            'Registries, token services and download hosts of other registries that may have a private address. Each entry is a host with its port (`registry.internal:5000`; without a port: ports 443 and 80), a host with `http://` in front if it has no TLS, or a network (`10.1.0.0/16`). Changes apply to the next request.',
          ),
      })
      .prefault({})
      .describe('Registries other than the registry of this instance.'),
    catalog: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'must be an http or https address' })
          .max(500)
          .regex(/^[^@?#]*$/, 'must be an address without a user, a query or a fragment')
          .nullable()
          .default(null)
          .describe('The catalog of templates that is listed. Null: DAVIT_INSTANCE_CATALOG_URL.'),
        verify_source: z
          .boolean()
          .default(false)
          .describe('Fetch the file of a template from its repository too, and refuse a manifest that is not of it.'),
      })
      .prefault({}),
    platform_images: z
      .strictObject({
        check: z
          .boolean()
          .default(true)
          .describe(
            'Whether Davit checks every day for newer packages of the images that it makes. Turn it off on a server without access to a package repository.',
          ),
        window_start: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 04:00')
          .default('04:00')
          .describe(
            'Start of the maintenance window, in which databases restart to use newer packages. Each restart takes seconds.',
          ),
        window_minutes: z.int().min(5).max(1_440).default(60).describe('Length of the maintenance window in minutes.'),
        time_zone: TimeZone.default('UTC').describe('Time zone of `window_start`.'),
      })
      .prefault({}),
    api: z
      .strictObject({
        requests_per_minute: z
          .int()
          .min(60)
          .max(10_000_000)
          .default(600_000)
          .describe('Of one caller; what goes beyond is answered 429.'),
        streams_per_user: z.int().min(1).max(10_000).default(200).describe('Open event streams of one user.'),
      })
      .prefault({}),
  })
  .meta({ id: 'Settings', description: 'What an admin may set for the whole instance.' });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const SettingsPatch = partial(InstanceSettings.shape).meta({
  id: 'SettingsPatch',
  description: 'A JSON merge patch: what is absent stays, null goes back to the default.',
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;
