/**
 * Pure functions that create HAProxy's certificate list (`crt-list`). The list assigns host names to TLS certificates.
 */
import { normalizeHost } from '@davit/api';
import type { RouteCertificate } from '../proxy.ts';
import { invalid } from './invalid.ts';
import { FOLDER } from './names.ts';

/**
 * Name of the self-signed TLS certificate for hosts without their own certificate. Davit creates the self-signed
 * certificate only once.
 */
export const DEFAULT_CERTIFICATE = 'default';
/**
 * Host name of the default certificate in HAProxy's certificate list. Clients never request this name. Without a host
 * name, HAProxy would use the names in the certificate.
 */
const NO_HOST = 'default.invalid';

/**
 * Checks the certificates of a route table. If a host has several certificates, the last one is used. The result omits
 * certificates without hosts.
 * @throws Error for an invalid name or host
 */
export function desiredCertificates(certificates: RouteCertificate[]): RouteCertificate[] {
  const owner = new Map<string, string>();
  const names = new Set<string>();
  for (const { name, hosts } of certificates) {
    if (!/^[A-Za-z0-9-]{1,100}$/.test(name) || name === DEFAULT_CERTIFICATE || names.has(name)) {
      throw invalid(`certificate name ${JSON.stringify(name)} is already in use or not valid`);
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
 * Returns the path of a certificate file inside the proxy container. HAProxy also uses this path as the name of the
 * certificate.
 */
export function certificatePath(name: string): string {
  return `${FOLDER}/certs/${name}.pem`;
}

/** Returns the line for one certificate in HAProxy's certificate list, without a line feed. */
export function certificateLine({ name, hosts }: Pick<RouteCertificate, 'name' | 'hosts'>): string {
  return `${certificatePath(name)} ${hosts.join(' ')}`;
}

/**
 * Returns the content of HAProxy's certificate list. The default certificate is first, because HAProxy uses the first
 * certificate for unknown hosts.
 */
export function certificateList(certificates: RouteCertificate[]): string {
  const first = { name: DEFAULT_CERTIFICATE, hosts: [NO_HOST] };
  const lines = [...certificates].sort((a, b) => (a.name < b.name ? -1 : 1)).map(certificateLine);
  return `${[certificateLine(first), ...lines].join('\n')}\n`;
}

/**
 * Returns the certificate name in an HAProxy error message. Returns `null` if the message contains no certificate name.
 */
export function blamedCertificate(words: string): string | null {
  const name = /\/certs\/([A-Za-z0-9-]+)\.pem/.exec(words)?.[1];
  return name === undefined || name === DEFAULT_CERTIFICATE ? null : name;
}
