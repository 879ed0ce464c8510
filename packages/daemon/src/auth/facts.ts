import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** Properties of a request that authentication uses. */
export interface RequestFacts {
  method: string;
  headers: IncomingHttpHeaders;
  /**
   * List of all HTTP headers as received: a name, its value, the next name and so on. In this list, Davit finds headers
   * that the client sent twice.
   */
  rawHeaders: readonly string[];
  /** IP address of the direct network peer: the client or the proxy. `undefined` for a Unix socket. */
  peer: string | undefined;
  /** Whether the request came over the Unix socket. Only the root user of the server can open this socket. */
  local: boolean;
}

/**
 * Returns whether the request came through the proxy on this server. Davit trusts headers such as `X-Forwarded-For`
 * only from this proxy.
 */
function isProxied(facts: RequestFacts): boolean {
  const { peer } = facts;
  return peer !== undefined && (peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.'));
}

/**
 * Returns the last value of a header. The proxy appends this value, so it is reliable. Earlier values can come from the
 * client.
 */
function lastOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header;
  return text?.split(',').at(-1)?.trim();
}

/**
 * Returns whether the client connected over TLS. The proxy terminates TLS and reports the protocol in the header
 * `X-Forwarded-Proto`.
 */
export function isSecure(facts: RequestFacts): boolean {
  return isProxied(facts) && lastOf(facts.headers['x-forwarded-proto'])?.toLowerCase() === 'https';
}

/**
 * Returns the base URL of the request, for example `https://davit.example.com`. The host name comes from the `Host`
 * header and is not checked.
 */
export function requestBaseUrl(facts: RequestFacts): string {
  return `${isSecure(facts) ? 'https' : 'http'}://${facts.headers.host}`;
}

/**
 * Returns the host name from a `Host` header in lower case. Removes the port, a dot at the end, and the brackets around
 * an IPv6 address.
 */
export function hostnameOf(header: string | undefined): string {
  return header === undefined ? '' : withoutPort(header).toLowerCase().replace(/\.$/, '');
}

function withoutPort(header: string): string {
  if (isIP(header) !== 0) return header;
  const address = /^\[([0-9a-f:.]+)\](?::\d*)?$/i.exec(header);
  return address?.[1] ?? header.replace(/:\d*$/, '');
}

/**
 * Returns the IP address of the client for rate limits and logs. Returns `local` for a request over the Unix socket.
 */
export function callerAddress(facts: RequestFacts): string {
  const forwarded = isProxied(facts) ? lastOf(facts.headers['x-forwarded-for']) : undefined;
  if (forwarded !== undefined && isIP(forwarded) !== 0) return forwarded;
  return facts.peer ?? 'local';
}

export function countOf(facts: RequestFacts, name: string): number {
  let count = 0;
  for (let i = 0; i < facts.rawHeaders.length; i += 2) {
    const raw = facts.rawHeaders[i];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * Returns the network of an IP address: the first 24 bits of IPv4, or the first 56 bits of IPv6. Such a network usually
 * belongs to one customer of a provider.
 */
export function addressNetwork(address: string): string {
  return prefixOf(address, 56);
}

/**
 * Returns the address range of one client. For IPv4, this is one address. For IPv6, it is a /64 network, because this
 * is the smallest network that providers assign to a customer.
 */
export function addressGroup(address: string): string {
  return ipv4Of(address) ?? prefixOf(address, 64);
}

function prefixOf(address: string, bits: 56 | 64): string {
  const four = ipv4Of(address);
  if (four !== undefined) return `${four.slice(0, four.lastIndexOf('.'))}.0/24`;
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address).slice(0, 4);
  if (bits === 56) groups[3] = (groups[3] ?? 0) & 0xff00;
  return `${groups.map((group) => group.toString(16)).join(':')}::/${bits}`;
}

/**
 * Returns the IPv4 address in a text, including the IPv6 notation `::ffff:192.0.2.1`. Returns `undefined` for other
 * addresses.
 */
function ipv4Of(address: string): string | undefined {
  const four = address.toLowerCase().startsWith('::ffff:') ? address.slice(7) : address;
  return isIP(four) === 4 ? four : undefined;
}

/** Returns the eight 16-bit groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16) || 0);
  if (tail === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
