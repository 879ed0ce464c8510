/** Host names: their canonical form, the default host of an app, and reserved hosts. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';

/** Names of the project, the environment and the app, which together address an app. */
export interface AppParts {
  project: string;
  environment: string;
  app: string;
}

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * Host name that is already in canonical form, as most of the thousands of hosts of a table are. A last label of digits
 * may belong to an IP address, so it does not match.
 */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;

/**
 * Returns the default host of an app with a port: `<app>.<environment>.<project>.<domain>`. Slugs of 40 characters and
 * a domain of at most 130 characters fit into a host name.
 */
export function defaultHost({ project, environment, app }: AppParts, domain: string): string {
  return `${app}.${environment}.${project}.${domain}`;
}

/** Returns whether a host has the form of {@link defaultHost}, even if there is no such app. */
export function isDefaultHost(host: string, domain: string): boolean {
  const labels = defaultHost({ project: '', environment: '', app: '' }, domain).split('.').length;
  return host.endsWith(`.${domain}`) && host.split('.').length === labels;
}

/** Returns the host of the instance's own registry. */
export function registryHost(domain: string): string {
  return `registry.${domain}`;
}

/**
 * Reason why no app may have a host:
 * - `instance`: the proxy routes the host to the dashboard and the API.
 * - `registry`: the proxy routes the host to the instance's registry.
 * - `app`: the host has the form of a default host. The host belongs to one app, even if the app does not exist.
 * - `machine`: the dashboard answers to the host on the daemon's own port. Browsers send cookies to every port of a
 *   host, so an app on this host would get the session of a signed-in user.
 */
export type ReservedHost = 'instance' | 'registry' | 'app' | 'machine';

/** Names that cannot be registered publicly: names with one label, and names below these top-level names. */
const LOCAL = /^[^.]+$|\.(localhost|local|internal)$/;

/**
 * Returns the reason why a host is reserved. Both sides use this rule: the dashboard answers to `instance` and
 * `machine` hosts, and apps can have none of the four kinds.
 * @param host canonical host name, or an address
 * @param domain domain of the instance
 * @param machine host name of the server
 * @returns `null` if an app can have the host
 */
export function reservedHost(host: string, domain: string, machine: string = hostname()): ReservedHost | null {
  if (host === domain.toLowerCase()) return 'instance';
  if (host === registryHost(domain.toLowerCase())) return 'registry';
  if (isDefaultHost(host, domain.toLowerCase())) return 'app';
  return isIP(host) !== 0 || host === machine.toLowerCase() || LOCAL.test(host) ? 'machine' : null;
}

/**
 * Returns the slug of the project for which a host below the instance's domain is reserved. This is the label in front
 * of the domain, even if there is no such project. Returns `null` if the host is not below the domain.
 */
export function projectOfHost(host: string, domain: string): string | null {
  const end = `.${domain.toLowerCase()}`;
  return host.endsWith(end) ? (host.slice(0, -end.length).split('.').at(-1) ?? null) : null;
}

/** Returns whether the proxy itself routes a host, so that no domain can have a route for that host. */
export function isRoutedByPlatform(host: string, domain: string): boolean {
  const reserved = reservedHost(host, domain);
  return reserved !== null && reserved !== 'machine';
}

/**
 * Returns the canonical form of a host: lower case, international names in their ASCII form, no trailing dot. The proxy
 * converts the `Host` header of a request to lower case and removes port and trailing dot before it compares them.
 * @returns `null` if the input is not a host name: with a port, a wildcard, an address in brackets, or a label of more
 * than 63 characters
 */
export function normalizeHost(input: string): string | null {
  // `domainToASCII` parses its input like the host of a URL and would drop text that follows these characters.
  if (/[\s:/?#@\\%*[\]]/.test(input)) return null;

  const isPlain = PLAIN.test(input) && !input.includes('xn--');
  const host = isPlain ? input : domainToASCII(input).replace(/\.$/, '');
  if (host === '' || host.length > MAX_HOST_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}
