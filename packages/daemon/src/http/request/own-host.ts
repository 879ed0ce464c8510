import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import { reservedHost } from '../../adapters/proxy/routes.ts';
import { hostnameOf } from '../../auth/facts.ts';

/**
 * Returns whether the dashboard and the API answer to a `Host` header. Another site can make its own host name resolve
 * to this server, and its pages then have the origin of that name. The reserved names of the instance and its server
 * are not available to other sites.
 * @param header as sent, with or without a port
 */
export function isInstanceHost(header: string | undefined, domain: string, machine?: string): boolean {
  const host = hostnameOf(header);
  // Responses repeat the host, so it must not contain other characters.
  if (isIP(host) === 0 && !/^[a-z0-9._-]+$/.test(host)) return false;
  const reserved = reservedHost(host, domain, machine);
  return reserved === 'instance' || reserved === 'machine';
}

/** Checks the `Host` header. @throws DavitError cross_site if the host does not belong to this instance */
export function demandOwnHost(header: string | undefined, domain: string): asserts header is string {
  if (isInstanceHost(header, domain)) return;
  throw new DavitError(
    'cross_site',
    `This host name does not belong to the instance. Use ${domain}, or the IP address of the server.`,
  );
}
