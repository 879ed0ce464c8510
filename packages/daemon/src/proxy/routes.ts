/** Host names: how they are written in one way, and what an app's own is. Pure. */
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

/** What the platform answers by itself, now or once an app of that name is made. */
export function isPlatformHost(host: string, domain: string): boolean {
  return host === domain || host === registryHost(domain) || isDefaultHost(host, domain);
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
