/** Functions for host names: default host names of apps, and reserved host names. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';

/** Names of an app, its environment and its project. Together, the names form the address `project/environment/app`. */
export interface AppParts {
  project: string;
  environment: string;
  app: string;
}

/**
 * Returns the default host name of an app. If names have at most 40 characters and the domain has at most 130, the
 * result is always valid.
 */
export function defaultHost({ project, environment, app }: AppParts, domain: string): string {
  return `${app}.${environment}.${project}.${domain}`;
}

/**
 * Returns whether a host name has the form `<app>.<environment>.<project>.<domain>`. The app does not have to exist.
 */
export function isDefaultHost(host: string, domain: string): boolean {
  const labels = defaultHost({ project: '', environment: '', app: '' }, domain).split('.').length;
  return host.endsWith(`.${domain}`) && host.split('.').length === labels;
}

/** Returns the host name of the Davit instance's registry: `registry.<domain>`. */
export function registryHost(domain: string): string {
  return `registry.${domain}`;
}

/**
 * Reason why an app cannot use a host name. The host name belongs to the dashboard, the registry or the server, or is
 * the default host name of an app. Browsers would send the dashboard's cookie to every port of the server's host name.
 */
export type ReservedHost = 'instance' | 'registry' | 'app' | 'machine';

/**
 * Pattern for names that cannot be registered in the public DNS. Such names have only one label, or end with
 * `.localhost`, `.local` or `.internal`.
 */
const LOCAL = /^[^.]+$|\.(localhost|local|internal)$/;

/**
 * Returns the reason why no app can use a host name. Returns `null` if apps can use the host name.
 * @param host canonical host name, or an IP address
 * @param machine host name of the server
 */
export function reservedHost(host: string, domain: string, machine: string = hostname()): ReservedHost | null {
  if (host === domain.toLowerCase()) return 'instance';
  if (host === registryHost(domain.toLowerCase())) return 'registry';
  if (isDefaultHost(host, domain.toLowerCase())) return 'app';
  return isIP(host) !== 0 || host === machine.toLowerCase() || LOCAL.test(host) ? 'machine' : null;
}

/**
 * Returns the label before the instance's domain, or `null`. For example, the result for `api.production.shop.<domain>`
 * is `shop`. The project may not exist.
 */
export function projectOfHost(host: string, domain: string): string | null {
  const end = `.${domain.toLowerCase()}`;
  return host.endsWith(end) ? (host.slice(0, -end.length).split('.').at(-1) ?? null) : null;
}

/**
 * Returns whether a host name belongs to the dashboard or the registry, or is the default host name of an app. Users
 * cannot add such a host name to an app.
 */
export function isRoutedByPlatform(host: string, domain: string): boolean {
  const reserved = reservedHost(host, domain);
  return reserved !== null && reserved !== 'machine';
}
