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

/** The caller's address, for limits and records. */
export function addressOf(facts: RequestFacts): string {
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
