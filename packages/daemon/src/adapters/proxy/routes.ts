/** Helpers for host names: their canonical form, the default host name of an app, and reserved host names. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';

/** Names of an app, its environment and its project. Together they form the address `project/environment/app`. */
export interface AppParts {
  project: string;
  environment: string;
  app: string;
}

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/**
 * Pattern for host names that are already in canonical form. Most host names match, and this check is faster than a
 * conversion. A name whose last label is a number does not match, because it may be an IP address.
 */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;

/**
 * Returns the default host name of an app: `<app>.<environment>.<project>.<domain>`. The result is valid if each of the
 * three names has at most 40 characters and the domain at most 130 characters.
 */
export function defaultHost({ project, environment, app }: AppParts, domain: string): string {
  return `${app}.${environment}.${project}.${domain}`;
}

/** Returns whether a host name has the form `<app>.<environment>.<project>.<domain>`. The app need not exist. */
export function isDefaultHost(host: string, domain: string): boolean {
  const labels = defaultHost({ project: '', environment: '', app: '' }, domain).split('.').length;
  return host.endsWith(`.${domain}`) && host.split('.').length === labels;
}

/** Returns the host name of the Davit instance's registry: `registry.<domain>`. */
export function registryHost(domain: string): string {
  return `registry.${domain}`;
}

/**
 * Reason why users cannot add a host name to an app.
 * - `instance`: it is the host name of the dashboard and the API.
 * - `registry`: it is the host name of the Davit instance's registry.
 * - `app`: it has the form of a default host name, so it belongs to one app, even if that app does not exist yet.
 * - `machine`: it is the host name of the server. The daemon's own port serves the dashboard under this name, and
 * browsers send cookies to every port of a host. An app with this name would receive the dashboard's session cookie.
 */
export type ReservedHost = 'instance' | 'registry' | 'app' | 'machine';

/**
 * Pattern for names that cannot be registered publicly: names with only one label, and names that end with
 * `.localhost`, `.local` or `.internal`.
 */
const LOCAL = /^[^.]+$|\.(localhost|local|internal)$/;

/**
 * Returns the reason why a host name is reserved, so that no app can use it. The reason `instance` means the host name
 * of the Davit instance. The reason `machine` means a name or IP address of the server. The dashboard is available only
 * under these two kinds of host names.
 * @param host canonical host name, or an IP address
 * @param domain host name of the Davit instance
 * @param machine host name of the server
 * @returns `null` if the host name is not reserved
 */
export function reservedHost(host: string, domain: string, machine: string = hostname()): ReservedHost | null {
  if (host === domain.toLowerCase()) return 'instance';
  if (host === registryHost(domain.toLowerCase())) return 'registry';
  if (isDefaultHost(host, domain.toLowerCase())) return 'app';
  return isIP(host) !== 0 || host === machine.toLowerCase() || LOCAL.test(host) ? 'machine' : null;
}

/**
 * Returns the label of a host name that is directly before the domain of the Davit instance. For example, returns
 * `shop` for `api.production.shop.<domain>`. This label is the name of a project, but the project may not exist.
 * Returns `null` if the host name does not end with the domain.
 */
export function projectOfHost(host: string, domain: string): string | null {
  const end = `.${domain.toLowerCase()}`;
  return host.endsWith(end) ? (host.slice(0, -end.length).split('.').at(-1) ?? null) : null;
}

/**
 * Returns whether the host name belongs to the dashboard or the registry, or has the form of the default host name of
 * an app. Users cannot add such a host name to an app.
 */
export function isRoutedByPlatform(host: string, domain: string): boolean {
  const reserved = reservedHost(host, domain);
  return reserved !== null && reserved !== 'machine';
}

/**
 * Returns the canonical form of a host name: lower case, international names in ASCII (Punycode), no trailing dot.
 * The proxy converts the `Host` header of a request to the same form.
 * @returns `null` if the text is not a host name, for example because of a port, a wildcard or brackets
 */
export function normalizeHost(input: string): string | null {
  // Rejects characters such as `/` and `?` first, because `domainToASCII` would silently drop the text after them.
  if (/[\s:/?#@\\%*[\]]/.test(input)) return null;

  const isPlain = PLAIN.test(input) && !input.includes('xn--');
  const host = isPlain ? input : domainToASCII(input).replace(/\.$/, '');
  if (host === '' || host.length > MAX_HOST_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}
