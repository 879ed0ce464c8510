import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import type { Exchange } from '../http/exchange.ts';
import { demandOwnHost } from '../http/request/own-host.ts';

/**
 * Refuses requests from pages of other sites: a page whose host name resolves to this server
 * (`Host`), and a page of another origin. A request without `Origin` does not come from a browser.
 * @param domain domain of the instance
 * @throws DavitError cross_site
 */
export function demandOwnSite({ headers, local }: Pick<Exchange, 'headers' | 'local'>, domain: string): void {
  if (local) return;
  const { host, origin } = headers;
  demandOwnHost(host, domain);
  if (origin === undefined || isOwnOrigin(origin, host, domain)) return;
  throw new DavitError(
    'cross_site',
    'The header “Origin” names another site, and pages of other sites cannot use this endpoint. Connect from an MCP client.',
  );
}

/**
 * Returns whether an origin is allowed: the requested host, the browser's own machine, or the instance's domain. Hosts
 * below the domain belong to apps.
 */
function isOwnOrigin(origin: string, host: string, domain: string): boolean {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== origin.toLowerCase()) return false;
  if (url.host === host.toLowerCase() || url.hostname === domain.toLowerCase()) return true;
  return url.hostname === 'localhost' || isLoopback(url.hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === '[::1]' || (isIP(hostname) === 4 && hostname.startsWith('127.'));
}
