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
 * Pattern for most canonical host names, which is faster than a conversion. The last label must start with a letter,
 * because a name with a number at the end may be an IP address.
 */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;

/**
 * Returns the default host name of an app. Names of at most 40 characters and a domain of at most 130 always give a
 * valid result.
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
 * Reason why an app cannot use a host name. The name belongs to the dashboard, the registry or the server, or is a
 * default name of an app. Browsers would send the dashboard's cookie to every port of the server's host name.
 */
export type ReservedHost = 'instance' | 'registry' | 'app' | 'machine';

/**
 * Pattern for names that cannot be registered publicly: names with only one label, and names that end with
 * `.localhost`, `.local` or `.internal`.
 */
const LOCAL = /^[^.]+$|\.(localhost|local|internal)$/;

/**
 * Returns why no app can use a host name, or `null` if it is free.
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
 * Returns the label before the instance's domain, for example `shop` for `api.production.shop.<domain>`, or `null`. The
 * project may not exist.
 */
export function projectOfHost(host: string, domain: string): string | null {
  const end = `.${domain.toLowerCase()}`;
  return host.endsWith(end) ? (host.slice(0, -end.length).split('.').at(-1) ?? null) : null;
}

/**
 * Returns whether a host name is the dashboard's, the registry's or an app's default name. Users cannot add such a name
 * to an app.
 */
export function isRoutedByPlatform(host: string, domain: string): boolean {
  const reserved = reservedHost(host, domain);
  return reserved !== null && reserved !== 'machine';
}

/**
 * Returns a host name in lower case, in Punycode and without trailing dot, as the proxy does. Returns `null` for other
 * text, such as a wildcard.
 */
export function normalizeHost(input: string): string | null {
  // Rejects characters such as `/` and `?` first, because `domainToASCII` would silently drop the text after them.
  if (/[\s:/?#@\\%*[\]]/.test(input)) return null;

  const isPlain = PLAIN.test(input) && !input.includes('xn--');
  const host = isPlain ? input : domainToASCII(input).replace(/\.$/, '');
  if (host === '' || host.length > MAX_HOST_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}
