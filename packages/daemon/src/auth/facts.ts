import type { IncomingHttpHeaders } from 'node:http';
import { isIP } from 'node:net';

/** What sign-in looks at in a request. */
export interface RequestFacts {
  method: string;
  headers: IncomingHttpHeaders;
  /** Names and values in turn, as sent: where a header that came twice can be seen. */
  rawHeaders: readonly string[];
  /** The other end of the connection; undefined on a unix socket. */
  peer: string | undefined;
  /** The request came over the socket that only the operator can open. */
  local: boolean;
}

/** One hop is believed: the proxy on this machine. */
function isProxied(facts: RequestFacts): boolean {
  const { peer } = facts;
  return peer !== undefined && (peer === '::1' || peer.startsWith('127.') || peer.startsWith('::ffff:127.'));
}

/** What the proxy itself added stands last; what is before it came from outside. */
function lastOf(header: string | string[] | undefined): string | undefined {
  const text = Array.isArray(header) ? header.at(-1) : header;
  return text?.split(',').at(-1)?.trim();
}

/** Whether the caller's own connection is encrypted. */
export function isSecure(facts: RequestFacts): boolean {
  return isProxied(facts) && lastOf(facts.headers['x-forwarded-proto'])?.toLowerCase() === 'https';
}

/** Where the instance was asked, `https://davit.example.com`. Whether that is a name of its own is not looked at. */
export function askedAt(facts: RequestFacts): string {
  return `${isSecure(facts) ? 'https' : 'http'}://${facts.headers.host}`;
}

/**
 * The host that a `Host` header names, without its port, in lower case and without a trailing dot. An IPv6 address has no
 * brackets.
 */
export function hostnameOf(header: string | undefined): string {
  return header === undefined ? '' : withoutPort(header).toLowerCase().replace(/\.$/, '');
}

function withoutPort(header: string): string {
  if (isIP(header) !== 0) return header;
  const address = /^\[([0-9a-f:.]+)\](?::\d*)?$/i.exec(header);
  return address?.[1] ?? header.replace(/:\d*$/, '');
}

/** The caller's address, for limits and records. */
export function callerAddress(facts: RequestFacts): string {
  const forwarded = isProxied(facts) ? lastOf(facts.headers['x-forwarded-for']) : undefined;
  if (forwarded !== undefined && isIP(forwarded) !== 0) return forwarded;
  return facts.peer ?? 'local';
}

/** How often a header was sent. */
export function countOf(facts: RequestFacts, name: string): number {
  let count = 0;
  for (let i = 0; i < facts.rawHeaders.length; i += 2) {
    const raw = facts.rawHeaders[i];
    if (raw?.length === name.length && raw.toLowerCase() === name) count += 1;
  }
  return count;
}

/**
 * The network of an address, as text: the first 24 bits of an IPv4 address, 56 of an IPv6 one. Whoever has one address of
 * it usually has them all.
 */
export function addressNetwork(address: string): string {
  return prefixOf(address, 56);
}

/** What counts as one address: an IPv6 one is given out with the 64 bits behind it. */
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

/** An IPv4 address, also one that came in over IPv6; undefined for none. */
function ipv4Of(address: string): string | undefined {
  const four = address.toLowerCase().startsWith('::ffff:') ? address.slice(7) : address;
  return isIP(four) === 4 ? four : undefined;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  const [plain = ''] = address.split('%');
  const [head = '', tail] = plain.split('::');
  const numbers = (text: string) =>
    text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16) || 0);
  if (tail === undefined) return numbers(head);
  const [first, last] = [numbers(head), numbers(tail)];
  return [...first, ...Array<number>(Math.max(0, 8 - first.length - last.length)).fill(0), ...last];
}
