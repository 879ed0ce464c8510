import { z } from 'zod';
import { partial } from './partial.ts';
import { PrivateHost } from './private-host.ts';
import { Cron, TimeZone } from './schedule.ts';

const MIB = 1024 * 1024;

/** Default certificate authority. */
export const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

const HostName = z
  .string()
  .max(200)
  .toLowerCase()
  .regex(
    /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
    'must be a host name such as “davit.example.com”',
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

/** Returns whether a text has the form `192.0.2.1`, `192.0.2.1:53` or `[2001:db8::1]:53`. */
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
      'Contact address for the certificate authority. Setting it accepts the terms of the authority. `null`: no certificates are ordered.',
    ),
  directory: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .max(500)
    .default(LETS_ENCRYPT)
    .describe('Address of the ACME directory of the certificate authority.'),
  trusted_ca: z
    .string()
    .max(64 * 1024)
    .regex(PEM, 'must be certificates in PEM')
    .nullable()
    .default(null)
    .describe(
      'Root certificates in PEM format that are trusted for connections to a private certificate authority, in addition to the public ones.',
    ),
  resolver: z
    .string()
    .max(60)
    .refine(isServer, NO_SERVER)
    .nullable()
    .default(null)
    .describe(
      'DNS server for lookups of public names, for example `192.0.2.1` or `192.0.2.1:53`. `null`: the DNS servers of the server.',
    ),
});

/**
 * Returns whether a cron expression contains only times of a day. For other times, users start a collection themselves.
 */
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
 * Settings of the whole instance, including all retention limits and request limits. Each has a default, so an empty
 * object is the default instance.
 */
export const InstanceSettings = z
  .strictObject({
    domain: HostName.nullable()
      .default(null)
      .describe(
        'Domain of the instance. The default hosts of apps are below it. `null`: the value of DAVIT_DOMAIN, or its default.',
      ),
    public_address: Address.nullable()
      .default(null)
      .describe('Public IP address of the server. Set it if the server is behind NAT.'),
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
    acme: Acme.prefault({}).describe('Certificate authority that issues certificates.'),
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
          .describe('Maximum size of the stored logs of one app on the disk, compressed, in bytes.'),
        days: z.int().min(1).max(3_650).default(30).describe('Retention of log lines in days.'),
        daemon_bytes: z
          .int()
          .min(MIB)
          .max(1024 * MIB)
          .default(32 * MIB)
          .describe('Size in bytes at which the log of the daemon is rotated. One earlier file is kept.'),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        interval_s: z
          .int()
          .min(5)
          .max(300)
          .default(10)
          .describe('Interval between two measurements of replicas, in seconds.'),
      })
      .prefault({}),
    audit: z
      .strictObject({ days: z.int().min(30).max(3_650).default(400).describe('Retention of audit entries in days.') })
      .prefault({}),
    deployments: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(100_000)
          .default(1_000)
          .describe('Maximum number of stored deployments of each app.'),
      })
      .prefault({}),
    runs: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(10_000)
          .default(100)
          .describe('Maximum number of stored runs of each app, without those of schedules.'),
        per_schedule: z.int().min(1).max(1_000).default(20).describe('Maximum number of stored runs of each schedule.'),
      })
      .prefault({}),
    revisions: z
      .strictObject({
        per_app: z
          .int()
          .min(20)
          .max(100_000)
          .default(1_000)
          .describe(
            'Maximum number of stored revisions of each app, in addition to those that a stored deployment uses.',
          ),
      })
      .prefault({}),
    events: z
      .strictObject({
        kept: z
          .int()
          .min(1_000)
          .max(10_000_000)
          .default(100_000)
          .describe('Number of stored events. A client can resume an event stream within these.'),
      })
      .prefault({}),
    images: z
      .strictObject({
        keep: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .describe('Number of earlier releases of an app whose images are kept for rollbacks.'),
        forget_pulled: z
          .boolean()
          .default(true)
          .describe(
            'Whether to remove the names of pulled images together with the images. Otherwise these images stay on the disk.',
          ),
      })
      .prefault({}),
    disk: z
      .strictObject({
        warn_percent: z
          .int()
          .min(1)
          .max(100)
          .default(80)
          .describe('Use of the disk in percent from which the instance shows a warning.'),
        refuse_percent: z
          .int()
          .min(1)
          .max(100)
          .default(95)
          .describe('Use of the disk in percent from which no new releases are deployed.'),
      })
      .refine(({ warn_percent, refuse_percent }) => warn_percent <= refuse_percent, {
        path: ['warn_percent'],
        error: 'must be at most refuse_percent',
      })
      .prefault({}),
    volumes: z
      .strictObject({
        trash_days: z
          .int()
          .min(0)
          .max(365)
          .default(7)
          .describe('Time in days for which a deleted volume can be restored.'),
      })
      .prefault({}),
    databases: z
      .strictObject({
        trash_days: z
          .int()
          .min(0)
          .max(365)
          .default(7)
          .describe('Time in days for which a deleted database or managed object store can be restored.'),
      })
      .prefault({}),
    tasks: z
      .strictObject({
        kept: z
          .int()
          .min(100)
          .max(1_000_000)
          .default(5_000)
          .describe('Maximum number of stored tasks that have ended.'),
      })
      .prefault({}),
    registry: z
      .strictObject({
        keep_tags: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(50)
          .describe('Number of newest tags of each app that are kept, in addition to those in use. 0: all tags.'),
        deleted_days: z
          .int()
          .min(0)
          .max(3_650)
          .default(7)
          .describe('Time in days for which the releases of a deleted app are kept.'),
        push_minutes: z
          .int()
          .min(0)
          .max(1_440)
          .default(10)
          .describe('Minimum age in minutes of data that a collection removes. It protects pushes in progress.'),
        collect_cron: Cron.refine(isDailyCron, 'must be minute and hour of each day, such as “30 3 * * *”')
          .default('30 3 * * *')
          .describe(
            'Cron expression for the daily collection of the registry, which removes data that nothing uses. Minute and hour can be a number or several numbers with commas.',
          ),
        time_zone: TimeZone.default('UTC').describe('Time zone of `collect_cron`.'),
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
          .describe('Address of the template catalog. `null`: the value of DAVIT_INSTANCE_CATALOG_URL.'),
        verify_source: z
          .boolean()
          .default(false)
          .describe(
            'Whether to fetch each template from its Git repository as well, and to refuse it if the catalog has a different manifest.',
          ),
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
          .describe(
            'Maximum number of requests per minute of one user or API key. Davit answers further requests with 429.',
          ),
        streams_per_user: z
          .int()
          .min(1)
          .max(10_000)
          .default(200)
          .describe('Maximum number of open event streams of one user.'),
      })
      .prefault({}),
  })
  .meta({ id: 'Settings', description: 'Settings of the whole instance.' });
export type InstanceSettings = z.infer<typeof InstanceSettings>;

export const SettingsPatch = partial(InstanceSettings.shape).meta({
  id: 'SettingsPatch',
  description: 'JSON merge patch. Absent fields do not change, and `null` restores the default.',
});
export type SettingsPatch = z.infer<typeof SettingsPatch>;
