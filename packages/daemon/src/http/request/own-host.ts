import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import { reservedHost } from '../../adapters/proxy/routes.ts';
import { hostnameOf } from '../../auth/facts.ts';

/**
 * Returns whether the `Host` header of a request is a host name of the instance or its server. Other requests must be
 * rejected. Otherwise, another site could make its own host name resolve to this server. The pages of that site would
 * then have the same origin as the dashboard.
 * @param header value of the `Host` header, with or without a port
 */
export function isInstanceHost(header: string | undefined, domain: string, machine?: string): boolean {
  const host = hostnameOf(header);
  // The host name becomes part of URLs in responses, so only letters, digits, dots, hyphens and underscores are valid.
  if (isIP(host) === 0 && !/^[a-z0-9._-]+$/.test(host)) return false;
  const reserved = reservedHost(host, domain, machine);
  return reserved === 'instance' || reserved === 'machine';
}

/**
 * Checks that the `Host` header belongs to this instance. @throws DavitError cross_site if the header contains another
 * host
 */
export function demandOwnHost(header: string | undefined, domain: string): asserts header is string {
  if (isInstanceHost(header, domain)) return;
  throw new DavitError(
    'cross_site',
    `This host name does not belong to the instance. Use ${domain}, or the IP address of the server.`,
  );
}
