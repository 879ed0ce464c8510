import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { DavitError } from '@davit/api';

/**
 * Whether a `Host` header is a name of this instance. A page of somebody else's can have its own name resolve to this
 * machine and then is of the same origin as what answers there; what it cannot have is one of these names:
 * - the instance's domain, as the proxy serves it;
 * - an address, `localhost` and what is below it;
 * - a name without a dot, or in `.local` or `.internal`: nobody can register such a name for the whole world;
 * - this machine's own name.
 * @param header as sent, with or without a port
 */
export function isOwnHost(header: string | undefined, domain: string, machine: string = hostname()): boolean {
  const host = header === undefined ? '' : withoutPort(header).toLowerCase().replace(/\.$/, '');
  if (isIP(host) !== 0) return true;
  // It is said again in answers, where nothing else must come with it.
  if (!/^[a-z0-9._-]+$/.test(host)) return false;
  if (!host.includes('.')) return true;
  return host === domain.toLowerCase() || host === machine.toLowerCase() || /\.(localhost|local|internal)$/.test(host);
}

/** @throws DavitError cross_site for a name that is not this instance's */
export function demandOwnHost(header: string | undefined, domain: string): asserts header is string {
  if (isOwnHost(header, domain)) return;
  throw new DavitError('cross_site', `This instance has another name: ask it as ${domain}, or by its address.`);
}

function withoutPort(header: string): string {
  if (isIP(header) !== 0) return header;
  const address = /^\[([0-9a-f:.]+)\](?::\d*)?$/i.exec(header);
  return address?.[1] ?? header.replace(/:\d*$/, '');
}
