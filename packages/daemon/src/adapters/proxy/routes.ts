/** Host names: their one spelling, an app's own, and those that no app can be given. */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';

/** The three slugs that address an app. */
export interface AppParts {
  project: string;
  environment: string;
  app: string;
}

const MAX_HOST_LENGTH = 253;
const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** What is in its one spelling already, as thousands of hosts of a table are. A last label of digits may be an address. */
const PLAIN = /^(?:[a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/;

/**
 * The host that every app with a port has: `<app>.<environment>.<project>.<domain>`. Slugs of 40 characters and a
 * domain of up to 130 fit into a host name.
 */
export function defaultHost({ project, environment, app }: AppParts, domain: string): string {
  return `${app}.${environment}.${project}.${domain}`;
}

/** Whether a host has the form of {@link defaultHost}, whether or not there is such an app. */
export function isDefaultHost(host: string, domain: string): boolean {
  const labels = defaultHost({ project: '', environment: '', app: '' }, domain).split('.').length;
  return host.endsWith(`.${domain}`) && host.split('.').length === labels;
}

/** The host of the instance's own registry. */
export function registryHost(domain: string): string {
  return `registry.${domain}`;
}

/**
 * Why no app can be given a host:
 * - `instance`: the proxy sends it to the dashboard and the API.
 * - `registry`: the proxy sends it to the instance's registry.
 * - `app`: it has the form of a default host, and so is the host of one app alone, whether or not there is such an app.
 * - `machine`: the dashboard answers to it when its own port is asked. Browsers send cookies to every port of a host, so an
 *   app there would be sent the session of whoever is signed in.
 */
export type ReservedHost = 'instance' | 'registry' | 'app' | 'machine';

/** What nobody can register for the whole world: names of one label, and names below these. */
const LOCAL = /^[^.]+$|\.(localhost|local|internal)$/;

/**
 * Whose a host is, if it is the platform's. This is the one rule for both sides: which hosts the dashboard answers to
 * (`instance`, `machine`), and which hosts no app can be given (all four).
 * @param host in its one spelling, or an address
 * @param domain of the instance
 * @param machine the machine's own name
 * @returns null for a host that an app can have
 */
export function reservedHost(host: string, domain: string, machine: string = hostname()): ReservedHost | null {
  if (host === domain.toLowerCase()) return 'instance';
  if (host === registryHost(domain.toLowerCase())) return 'registry';
  if (isDefaultHost(host, domain.toLowerCase())) return 'app';
  return isIP(host) !== 0 || host === machine.toLowerCase() || LOCAL.test(host) ? 'machine' : null;
}

/**
 * The slug of the project that a host below the instance's domain is kept for: the label in front of the domain, whether
 * or not there is such a project. Null for a host that is not below the domain.
 */
export function projectOfHost(host: string, domain: string): string | null {
  const end = `.${domain.toLowerCase()}`;
  return host.endsWith(end) ? (host.slice(0, -end.length).split('.').at(-1) ?? null) : null;
}

/** Whether the proxy itself sends the requests for a host somewhere, so that no route of a domain can be for it. */
export function isRoutedByPlatform(host: string, domain: string): boolean {
  const reserved = reservedHost(host, domain);
  return reserved !== null && reserved !== 'machine';
}

/**
 * The one spelling of a host: lower case, international names in their ASCII form, no trailing dot. It is what a
 * request's `Host` header is compared with, after the proxy took case, port and trailing dot off it.
 * @returns null for what is not a host name: with a port, a wildcard, an address in brackets, a label over 63 characters
 */
export function normalizeHost(input: string): string | null {
  // domainToASCII reads its input like the host part of a URL and would take off what these characters separate.
  if (/[\s:/?#@\\%*[\]]/.test(input)) return null;

  const isPlain = PLAIN.test(input) && !input.includes('xn--');
  const host = isPlain ? input : domainToASCII(input).replace(/\.$/, '');
  if (host === '' || host.length > MAX_HOST_LENGTH) return null;
  return host.split('.').every((label) => LABEL.test(label)) ? host : null;
}
