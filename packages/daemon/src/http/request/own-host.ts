import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import { reservedHost } from '../../adapters/proxy/routes.ts';
import { hostnameOf } from '../../auth/facts.ts';

/**
 * Whether the dashboard and the API answer to a `Host` header. A page of another site can have its own name resolve to
 * this machine and then is of the same origin as what answers there; what it cannot have is a name that is reserved for
 * the instance or its machine.
 * @param header as sent, with or without a port
 */
export function isInstanceHost(header: string | undefined, domain: string, machine?: string): boolean {
  const host = hostnameOf(header);
  // Answers repeat it, so it must not contain anything else.
  if (isIP(host) === 0 && !/^[a-z0-9._-]+$/.test(host)) return false;
  const reserved = reservedHost(host, domain, machine);
  return reserved === 'instance' || reserved === 'machine';
}

/** @throws DavitError cross_site for a name that is not this instance's */
export function demandOwnHost(header: string | undefined, domain: string): asserts header is string {
  if (isInstanceHost(header, domain)) return;
  throw new DavitError('cross_site', `This instance has another name: ask it as ${domain}, or by its address.`);
}
