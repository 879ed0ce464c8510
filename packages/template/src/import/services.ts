import { LONGEST_SLUG } from '../rules/slug.ts';
import { databaseKind } from './databases.ts';
import { type ImageName, imageNameOf } from './image-names.ts';
import { Keys, slugOf } from './names.ts';
import type { Notes, Teller } from './notes.ts';
import { at, isValues, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** Part of a template that replaces a Compose service: an app, a database, a job, or nothing (`none`). */
export type Role = 'app' | 'database' | 'job' | 'none';

export interface Service {
  name: string;
  key: string;
  /** Name of the app or job in the template. Empty if the Compose service becomes neither an app nor a job. */
  slug: string;
  values: Values;
  role: Role;
  /** Image of the Compose service. `null` if the service is built from source or its image name is invalid. */
  image: ImageName | null;
  tell: Teller;
}

/**
 * Matches images of reverse proxies and tunnels. The import omits services with these images, because Davit has the
 * same functions.
 */
const PROXIES =
  /^(?:traefik|nginxproxy\/(?:nginx-proxy|acme-companion)|jwilder\/nginx-proxy|jrcs\/letsencrypt-nginx-proxy-companion|lucaslorentz\/caddy-docker-proxy|jc21\/nginx-proxy-manager|cloudflare\/cloudflared)$/;
/**
 * Matches images of tools that update or restart containers. The import omits services with these images, because Davit
 * has the same functions.
 */
const WATCHERS =
  /^(?:containrrr\/watchtower|portainer\/portainer(?:-ce|-ee)?|willfarrell\/autoheal|pyouroboros\/ouroboros)$/;

/**
 * Determines the role of each Compose service: app, database, job, or omitted. Also determines its key and name in the
 * template. The names of apps and jobs are unique, even if names in the file differ only in case.
 */
export function serviceRoles(
  found: readonly [name: string, values: Values][],
  variables: Variables,
  notes: Notes,
): Service[] {
  const keys = { database: new Keys(), other: new Keys() };
  const oneOff = new Set(found.flatMap(([, values]) => awaitedToEnd(values)));
  const services = found.map(([name, values]) => {
    const report = notes.of(name);
    const image = imageOf(values, variables, report);
    const why = whyNot(values, image);
    if (why !== null) report.leftOut('service', why);
    const isDatabase = image !== null && databaseKind(image) !== null && values.build === undefined;
    const role = why !== null ? 'none' : isDatabase ? 'database' : oneOff.has(name) ? 'job' : 'app';
    const key = (role === 'database' ? keys.database : keys.other).give(name, role === 'database' ? 'db' : 'app');
    if (key !== name && (role === 'app' || role === 'database'))
      report.changed(
        'name',
        `Other apps reach this service under the name “${key}”, because the name in the file cannot be a key of a template.`,
      );
    return { name, key, values, role, image, tell: report } satisfies Omit<Service, 'slug'>;
  });
  return withSlugs(services);
}

/**
 * Adds the names of apps and jobs. If the key of a service is a valid name, the key becomes the name. Reason: other
 * services can use this name as a host.
 */
function withSlugs(services: readonly Omit<Service, 'slug'>[]): Service[] {
  const slugs = new Keys();
  const slug = ({ role, key }: Omit<Service, 'slug'>) => (role === 'app' || role === 'job' ? slugOf(key, role) : '');
  for (const service of services) if (slug(service) === service.key) slugs.take(service.key);
  return services.map((service) => {
    const wanted = slug(service);
    return { ...service, slug: wanted === '' || wanted === service.key ? wanted : slugs.take(wanted, LONGEST_SLUG) };
  });
}

function imageOf(values: Values, variables: Variables, report: Teller): ImageName | null {
  const written = textOf(values.image);
  if (written === null) return null;
  const plain = variables.plain(written).replace(/[:@]$/, '');
  const image = imageNameOf(plain);
  if (image !== null && variables.in(variables.mark(written)).length > 0) {
    report.changed('image', `The Compose variables in the image name were replaced with their defaults: ${plain}`);
  }
  return image;
}

function whyNot(values: Values, image: ImageName | null): string | null {
  if (listOf(values.profiles).length > 0)
    return 'The service starts only with a Compose profile, and a template has no profiles. Add the service to the template if an app needs it.';
  if (image !== null && PROXIES.test(image.path)) return 'The instance already has a reverse proxy with certificates.';
  if (image !== null && WATCHERS.test(image.path)) return 'The instance already checks, restarts and updates apps.';
  if (image === null && at(values, 'build') === undefined) {
    const written = textOf(values.image);
    return written === null
      ? 'The service has neither an image nor a build.'
      : `“${written.slice(0, 80)}” is not a valid image name.`;
  }
  return null;
}

/** Returns the services in `depends_on` of a Compose service, with the condition of each dependency. */
export function dependenciesOf(values: Values): { name: string; condition: string }[] {
  const { depends_on: on } = values;
  if (isValues(on)) {
    return Object.entries(on).map(([name, one]) => ({
      name,
      condition: textOf(at(one, 'condition')) ?? 'service_started',
    }));
  }
  return listOf(on).flatMap((name) => (typeof name === 'string' ? [{ name, condition: 'service_started' }] : []));
}

function awaitedToEnd(values: Values): string[] {
  const isToEnd = ({ condition }: { condition: string }) => condition === 'service_completed_successfully';
  return dependenciesOf(values)
    .filter(isToEnd)
    .map(({ name }) => name);
}

/** Returns the host names that other Compose services use to connect to a service. */
export function hostNames({ name, values }: Service): string[] {
  const networks = at(values, 'networks');
  const aliases = isValues(networks)
    ? Object.values(networks).flatMap((network) => listOf(at(network, 'aliases')))
    : [];
  const others = [values.container_name, ...localNames(values.hostname), ...aliases].flatMap(
    (one) => textOf(one) ?? [],
  );
  return [name, ...others].filter((one) => /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(one));
}

/**
 * Returns the `hostname` of a Compose service as a list. A name with a dot is omitted, because other services do not
 * use such a name.
 */
function localNames(hostname: unknown): string[] {
  const name = textOf(hostname);
  return name === null || name.includes('.') ? [] : [name];
}

/** Returns the aliases in `links` of a Compose service. Each alias has the name of the linked service. */
export function linkNames(values: Values): [alias: string, service: string][] {
  return listOf(values.links).flatMap((link): [string, string][] => {
    const [service = '', alias = ''] = (textOf(link) ?? '').split(':');
    return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(alias) ? [[alias, service]] : [];
  });
}
