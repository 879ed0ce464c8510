import { isIP } from 'node:net';
import { hostname } from 'node:os';

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
  if (host === '') return false;
  if (isIP(host) !== 0 || !host.includes('.')) return true;
  return host === domain.toLowerCase() || host === machine.toLowerCase() || /\.(localhost|local|internal)$/.test(host);
}

function withoutPort(header: string): string {
  const address = /^\[([0-9a-f:.]+)\](?::\d*)?$/i.exec(header);
  return address?.[1] ?? header.replace(/:\d*$/, '');
}
