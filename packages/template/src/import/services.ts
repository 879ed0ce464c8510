import { databaseKind } from './databases.ts';
import { type ImageName, imageNameOf } from './image-names.ts';
import { Keys } from './names.ts';
import type { Notes, Teller } from './notes.ts';
import { at, isValues, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** What a service becomes: `none` is not carried at all. */
export type Role = 'app' | 'database' | 'job' | 'none';

export interface Service {
  name: string;
  /** Of the app, database or job that it becomes. */
  key: string;
  values: Values;
  role: Role;
  /** Null: it is built, or its image has no name that a registry could have. */
  image: ImageName | null;
  tell: Teller;
}

/** Programs whose work an instance does itself. */
const PROXIES =
  /^(?:traefik|nginxproxy\/(?:nginx-proxy|acme-companion)|jwilder\/nginx-proxy|jrcs\/letsencrypt-nginx-proxy-companion|lucaslorentz\/caddy-docker-proxy|jc21\/nginx-proxy-manager|cloudflare\/cloudflared)$/;
const WATCHERS =
  /^(?:containrrr\/watchtower|portainer\/portainer(?:-ce|-ee)?|willfarrell\/autoheal|pyouroboros\/ouroboros)$/;

/** Decides what each service becomes, and what it is called. */
export function serviceRoles(
  found: readonly [name: string, values: Values][],
  variables: Variables,
  notes: Notes,
): Service[] {
  const keys = { database: new Keys(), other: new Keys() };
  const oneOff = new Set(found.flatMap(([, values]) => awaitedToEnd(values)));
  return found.map(([name, values]) => {
    const tell = notes.of(name);
    const image = imageOf(values, variables, tell);
    const why = whyNot(values, image);
    if (why !== null) tell.leftOut('service', why);
    const isDatabase = image !== null && databaseKind(image) !== null && values.build === undefined;
    const role = why !== null ? 'none' : isDatabase ? 'database' : oneOff.has(name) ? 'job' : 'app';
    const key = (role === 'database' ? keys.database : keys.other).give(name, role === 'database' ? 'db' : 'app');
    return { name, key, values, role, image, tell };
  });
}

function imageOf(values: Values, variables: Variables, tell: Teller): ImageName | null {
  const written = textOf(values.image);
  if (written === null) return null;
  const plain = variables.plain(written).replace(/[:@]$/, '');
  const image = imageNameOf(plain);
  if (image !== null && variables.in(variables.mark(written)).length > 0) {
    tell.changed('image', `Its variables are replaced by their defaults: ${plain}`);
  }
  return image;
}

function whyNot(values: Values, image: ImageName | null): string | null {
  if (listOf(values.profiles).length > 0)
    return 'It starts only with a profile, and a template has none: add it if it is needed.';
  if (image !== null && PROXIES.test(image.path)) return 'The instance has a reverse proxy with certificates itself.';
  if (image !== null && WATCHERS.test(image.path)) return 'The instance watches, restarts and updates apps itself.';
  if (image === null && at(values, 'build') === undefined) {
    const written = textOf(values.image);
    return written === null
      ? 'It has neither an image nor a build.'
      : `«${written.slice(0, 80)}» is no image that a registry could have.`;
  }
  return null;
}

/** What a service waits for, and until when. */
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

/** The names by which others reach a service. */
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

/** A host name with a domain is how the world knows it, and no other service. */
function localNames(hostname: unknown): string[] {
  const name = textOf(hostname);
  return name === null || name.includes('.') ? [] : [name];
}

/** `links` that give another name to a service: the name, and whose it is. */
export function linkNames(values: Values): [alias: string, service: string][] {
  return listOf(values.links).flatMap((link): [string, string][] => {
    const [service = '', alias = ''] = (textOf(link) ?? '').split(':');
    return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,62}$/.test(alias) ? [[alias, service]] : [];
  });
}
