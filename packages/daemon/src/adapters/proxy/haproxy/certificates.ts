/** Which certificate the proxy presents for which host, and the list that says so. Pure. */
import type { RouteCertificate } from '../proxy.ts';
import { normalizeHost } from '../routes.ts';
import { invalid } from './invalid.ts';
import { FOLDER } from './names.ts';

/** For names that have none; made once, in the same folder as the others. */
export const DEFAULT_CERTIFICATE = 'default';
/** Nobody can ask for it: without a name of its own the default certificate would answer for those in it. */
const NO_HOST = 'default.invalid';

/**
 * Checks the certificates of a table and leaves each the hosts that it answers for: of several for one host the last
 * counts. One that has no host left is not in the result.
 * @throws Error naming what could break the list
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

/** Where the proxy finds chain and key, and the name by which it knows them. */
export function certificatePath(name: string): string {
  return `${FOLDER}/certs/${name}.pem`;
}

/** A line of the list without its end. */
export function certificateLine({ name, hosts }: Pick<RouteCertificate, 'name' | 'hosts'>): string {
  return `${certificatePath(name)} ${hosts.join(' ')}`;
}

/** The whole list; the first of it answers for hosts that have no certificate. */
export function certificateList(certificates: RouteCertificate[]): string {
  const first = { name: DEFAULT_CERTIFICATE, hosts: [NO_HOST] };
  const lines = [...certificates].sort((a, b) => (a.name < b.name ? -1 : 1)).map(certificateLine);
  return `${[certificateLine(first), ...lines].join('\n')}\n`;
}

/** The certificate that the proxy's words complain of; null when they are about something else. */
export function blamedCertificate(words: string): string | null {
  const name = /\/certs\/([A-Za-z0-9-]+)\.pem/.exec(words)?.[1];
  return name === undefined || name === DEFAULT_CERTIFICATE ? null : name;
}
