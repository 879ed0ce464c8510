import { isIP } from 'node:net';
import { DavitError } from '@davit/api';
import type { Exchange } from '../http/exchange.ts';
import { demandOwnHost } from '../http/request/own-host.ts';

/**
 * Rejects requests from web pages of other sites to the MCP endpoint.
 * @param domain domain of the instance
 * @throws DavitError cross_site
 */
export function demandOwnSite({ headers, local }: Pick<Exchange, 'headers' | 'local'>, domain: string): void {
  if (local) return;
  const { host, origin } = headers;
  // The check of `Host` prevents DNS rebinding, and the check of `Origin` prevents cross-origin requests.
  demandOwnHost(host, domain);
  // Accept requests without `Origin`, because they do not come from a web page.
  if (origin === undefined || isOwnOrigin(origin, host, domain)) return;
  throw new DavitError(
    'cross_site',
    'The header “Origin” shows that a web page of another site sent this request. Such pages cannot use the MCP endpoint; connect with an MCP client.',
  );
}

/**
 * Returns whether the MCP endpoint allows an origin. Subdomains of the instance's domain are not allowed, because they
 * belong to apps.
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
