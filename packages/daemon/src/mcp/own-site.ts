import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import type { Exchange } from '../http/exchange.ts';
import { demandOwnHost } from '../http/request/own-host.ts';

/**
 * Refuses what a page of somebody else's sends: one whose own name leads here (`Host`), and one of another origin. Who
 * sends no `Origin` is no browser.
 * @param domain of the instance
 * @throws DavitError cross_site
 */
export function demandOwnSite({ headers, local }: Pick<Exchange, 'headers' | 'local'>, domain: string): void {
  if (local) return;
  const { host, origin } = headers;
  demandOwnHost(host, domain);
  if (origin === undefined || isOwnOrigin(origin, host, domain)) return;
  throw new DavitError('cross_site', 'Pages of other sites may not ask this: the header «Origin» names one.');
}

/** Its own page, the machine of who looks at it, or the instance's domain. Hosts below the domain are those of apps. */
function isOwnOrigin(origin: string, host: string, domain: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase()) return false;
  if (url.host === host.toLowerCase() || url.hostname === domain.toLowerCase()) return true;
  return url.hostname === 'localhost' || isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
