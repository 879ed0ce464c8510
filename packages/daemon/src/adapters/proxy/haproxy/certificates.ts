/** List of certificates and the hosts for which the proxy presents each of them. Pure. */
import type { RouteCertificate } from '../proxy.ts';
import { normalizeHost } from '../routes.ts';
import { invalid } from './invalid.ts';
import { FOLDER } from './names.ts';

/**
 * Name of the certificate for hosts without a certificate. Davit creates it once, in the folder of the other
 * certificates.
 */
export const DEFAULT_CERTIFICATE = 'default';
/**
 * Host of the default certificate, which no client can request. Without an explicit host, the default certificate would
 * answer for the host names in it.
 */
const NO_HOST = 'default.invalid';

/**
 * Checks the certificates of a table and assigns each host to one certificate. If several certificates name a host, the
 * last certificate gets the host. The result omits certificates without a remaining host.
 * @throws Error with the value that could break the list
 */
export function desiredCertificates(certificates: RouteCertificate[]): RouteCertificate[] {
  const owner = new Map<string, string>();
  const names = new Set<string>();
  for (const { name, hosts } of certificates) {
    if (!/^[A-Za-z0-9-]{1,100}$/.test(name) || name === DEFAULT_CERTIFICATE || names.has(name)) {
      throw invalid(`certificate name ${JSON.stringify(name)} is taken or not valid`);
    }
    names.add(name);
    for (const host of hosts) owner.set(checkHost(host), name);
  }
  return certificates
    .map(({ name, hosts, pem }) => ({ name, hosts: hosts.filter((host) => owner.get(host) === name).sort(), pem }))
    .filter(({ hosts }) => hosts.length > 0);
}

function checkHost(host: string): string {
  const bare = host.replace(/^\*\./, '');
  if (normalizeHost(bare) === bare) return host;
  throw invalid(`certificate host ${JSON.stringify(host)} is not a lower-case host name`);
}

/**
 * Returns the path of a certificate inside the container. The running proxy uses this path as the certificate's name.
 */
export function certificatePath(name: string): string {
  return `${FOLDER}/certs/${name}.pem`;
}

/** Returns the line of the list for a certificate, without a line feed. */
export function certificateLine({ name, hosts }: Pick<RouteCertificate, 'name' | 'hosts'>): string {
  return `${certificatePath(name)} ${hosts.join(' ')}`;
}

/** Returns the whole list. The first certificate answers for hosts without a certificate. */
export function certificateList(certificates: RouteCertificate[]): string {
  const first = { name: DEFAULT_CERTIFICATE, hosts: [NO_HOST] };
  const lines = [...certificates].sort((a, b) => (a.name < b.name ? -1 : 1)).map(certificateLine);
  return `${[certificateLine(first), ...lines].join('\n')}\n`;
}

/** Returns the certificate that a message of the proxy names, or `null` if the message is about something else. */
export function blamedCertificate(words: string): string | null {
  const name = /\/certs\/([A-Za-z0-9-]+)\.pem/.exec(words)?.[1];
  return name === undefined || name === DEFAULT_CERTIFICATE ? null : name;
}
