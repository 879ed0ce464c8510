import { z } from 'zod';
import { partial } from './partial.ts';
import { PrivateHost } from './private-host.ts';
import { Cron, TimeZone } from './schedule.ts';

const MIB = 1024 * 1024;

/** Directory URL of Let's Encrypt, the default certificate authority. */
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
      'IPv4 or IPv6 address of the server. Link-local, loopback and multicast addresses are not allowed, and neither are addresses of cloud metadata services.',
    ),
    port: z.int().min(1).max(65_535).describe('Port on which the service listens.'),
    protocol: z.enum(['tcp', 'udp']).default('tcp').describe('Transport protocol of the service.'),
  })
  .meta({
    id: 'HostAccess',
    description: 'Address and port of a service on the server. Containers may connect to this service.',
  });

const NO_SERVER = 'must be an IP address, optionally with a port';

/**
 * Returns whether a text is the IP address of a DNS server, optionally with a port. Examples are `192.0.2.1`,
 * `192.0.2.1:53` and `[2001:db8::1]:53`.
 */
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
      'E-mail address for the certificate authority. If you set the address, you accept the terms of the certificate authority. `null`: Davit requests no certificates.',
    ),
  directory: z
    .url({ protocol: /^https$/, error: 'must be an https address' })
    .max(500)
    .default(LETS_ENCRYPT)
    .describe('URL of the ACME directory of the certificate authority. Default: Let’s Encrypt.'),
  trusted_ca: z
    .string()
    .max(64 * 1024)
    .regex(PEM, 'must contain one or more certificates in PEM format')
    .nullable()
    .default(null)
    .describe(
      'Root certificates of a private certificate authority in PEM format. When Davit connects to the certificate authority, it trusts these certificates in addition to the public root certificates.',
    ),
  resolver: z
    .string()
    .max(60)
    .refine(isServer, NO_SERVER)
    .nullable()
    .default(null)
    .describe(
      'DNS server that Davit uses to look up public host names, for example `192.0.2.1` or `192.0.2.1:53`. `null`: the DNS servers that the operating system of the server uses.',
    ),
});

/**
 * Returns whether a cron expression runs every day at fixed minutes, and at fixed hours or every hour. Example: `0,30 4
 * * * *`.
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

/** Settings of the instance. Each setting has a default, so `{}` is valid. */
export const InstanceSettings = z
  .strictObject({
    domain: HostName.nullable()
      .default(null)
      .describe(
        'Domain of the instance. The default hosts of apps are subdomains of this domain. `null`: the domain in the environment variable `DAVIT_DOMAIN`, or `localhost` if this variable is not set.',
      ),
    public_address: Address.nullable()
      .default(null)
      .describe('Public IP address of the server. Set it if the server is behind NAT.'),
    trusted_proxies: z
      .strictObject({
        forwarded_for: Networks.describe(
          'Addresses and networks (CIDR) of load balancers, CDNs and tunnels whose `X-Forwarded-For` header Davit trusts. Davit reads this header from right to left: the first address outside these networks is the client.',
        ),
        proxy_protocol: Networks.describe(
          'Addresses and networks (CIDR) of load balancers that use the PROXY protocol, version 1 or 2. If a connection from these addresses does not use the PROXY protocol, Davit closes it.',
        ),
      })
      .prefault({})
      .describe(
        'Trusted proxies in front of the instance, which report the address of the client. Default: no proxies.',
      ),
    acme: Acme.prefault({}).describe('Certificate authority that issues certificates.'),
    host_access: z
      .array(HostAccess)
      .max(100)
      .default([])
      .describe(
        'Additional services on the server that containers may connect to. Containers can always connect to the proxy, the published TCP ports of apps, and the DNS servers that the server itself uses.',
      ),
    logs: z
      .strictObject({
        bytes_per_app: z
          .int()
          .min(MIB)
          .max(1024 * 1024 * MIB)
          .default(256 * MIB)
          .describe('Maximum size of the stored logs of one app, after compression, in bytes.'),
        days: z.int().min(1).max(3_650).default(30).describe('Days to keep the log lines of apps.'),
        daemon_bytes: z
          .int()
          .min(MIB)
          .max(1024 * MIB)
          .default(32 * MIB)
          .describe(
            'Maximum size in bytes of the log file of Davit itself. At this size, Davit starts a new file and keeps the previous file.',
          ),
      })
      .prefault({}),
    metrics: z
      .strictObject({
        interval_s: z
          .int()
          .min(5)
          .max(300)
          .default(10)
          .describe('Interval in seconds at which Davit measures the CPU, memory and network use of replicas.'),
      })
      .prefault({}),
    audit: z
      .strictObject({
        days: z.int().min(30).max(3_650).default(400).describe('Days to keep entries in the audit log.'),
      })
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
          .describe('Maximum number of stored runs of each app. Runs of schedules do not count.'),
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
            'Maximum number of stored revisions of each app. Davit also keeps the revisions that stored deployments use.',
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
          .describe(
            'Maximum number of stored events. A client that reconnects to an event stream receives the events that it missed, if they are still stored.',
          ),
      })
      .prefault({}),
    images: z
      .strictObject({
        keep: z
          .int()
          .min(1)
          .max(1_000)
          .default(10)
          .describe('Number of earlier releases of each app whose images Davit keeps for rollbacks.'),
        forget_pulled: z
          .boolean()
          .default(true)
          .describe(
            'Whether Davit removes unused images that it pulled, including their tags. `false`: these images stay on the disk.',
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
          .describe(
            'Threshold of disk use in percent. If the disk use reaches the threshold, the instance shows a warning.',
          ),
        refuse_percent: z
          .int()
          .min(1)
          .max(100)
          .default(95)
          .describe(
            'Threshold of disk use in percent. If the disk use reaches the threshold, Davit deploys no new releases.',
          ),
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
          .describe(
            'Number of days that a deleted volume stays in the trash. During this time, you can restore the volume.',
          ),
      })
      .prefault({}),
    databases: z
      .strictObject({
        trash_days: z
          .int()
          .min(0)
          .max(365)
          .default(7)
          .describe(
            'Number of days that a deleted database or managed object store stays in the trash. During this time, you can restore it.',
          ),
      })
      .prefault({}),
    tasks: z
      .strictObject({
        kept: z.int().min(100).max(1_000_000).default(5_000).describe('Maximum number of stored finished tasks.'),
      })
      .prefault({}),
    registry: z
      .strictObject({
        keep_tags: z
          .int()
          .min(0)
          .max(1_000_000)
          .default(50)
          .describe(
            'Number of tags that Davit keeps in the registry for each app. Davit keeps the newest tags, and additionally all tags that are in use. 0: keep all tags.',
          ),
        deleted_days: z.int().min(0).max(3_650).default(7).describe('Days to keep the releases of a deleted app.'),
        push_minutes: z
          .int()
          .min(0)
          .max(1_440)
          .default(10)
          .describe(
            'Minutes to keep unused data in the registry before the garbage collection removes it. This delay protects pushes in progress.',
          ),
        collect_cron: Cron.refine(isDailyCron, 'must be a daily cron expression, such as “30 3 * * *”')
          .default('30 3 * * *')
          .describe(
            'Cron expression for the daily garbage collection of the registry, which removes unused data. Example: `30 3 * * *` for 03:30. For several times a day, list several hours or minutes, separated by commas.',
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
            'Registries and networks with private addresses from which Davit may pull images. Examples: `registry.internal:5000`, `http://registry.internal` for a registry without TLS, `10.1.0.0/16`. If a registry uses other hosts for authentication or downloads, add these hosts too. A host without a port allows the ports 443 and 80.',
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
          .describe(
            'URL of the template catalog. `null`: the value of the environment variable `DAVIT_INSTANCE_CATALOG_URL`.',
          ),
        verify_source: z
          .boolean()
          .default(false)
          .describe(
            'Whether Davit compares each template in the catalog with the template in its Git repository. If the two differ, Davit refuses the template.',
          ),
      })
      .prefault({}),
    platform_images: z
      .strictObject({
        check: z
          .boolean()
          .default(true)
          .describe(
            'Whether Davit checks every day for security updates of the images that it builds. Set this to `false` on a server without access to a package repository.',
          ),
        window_start: z
          .string()
          .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 04:00')
          .default('04:00')
          .describe(
            'Start of the daily maintenance window. In this window, Davit restarts databases to install updates. Each restart takes a few seconds.',
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
            'Maximum number of requests per minute of one user or API key. Davit refuses further requests with the status 429.',
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
