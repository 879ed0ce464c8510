import { addressGroup, callerAddress, hostnameOf, isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns whether browsers also send a session to programs on other ports of the host. Browsers do this with every
 * cookie without TLS. On the loopback interface they also do this over TLS, because they trust
 * `http://localhost:<port>` like HTTPS.
 */
export function isExposed(facts: RequestFacts): boolean {
  return !isSecure(facts) || isLoopbackHost(hostnameOf(facts.headers.host));
}

/**
 * Returns whether a request may use a session. A session that began with TLS is valid only with TLS, and a session that
 * began without TLS only without. A program on another port of the host can read an exposed session, so such a session
 * is valid only from its first address.
 */
export function mayUseSession(
  facts: RequestFacts,
  { is_plain, is_exposed, address }: { is_plain: number; is_exposed: number; address: string | null },
): boolean {
  if (isSecure(facts) === (is_plain === 1)) return false;
  return is_exposed === 0 || (address !== null && sameClient(callerAddress(facts), address));
}

/**
 * Returns whether two addresses belong to one client. A browser may reach the loopback interface over IPv4 and over
 * IPv6.
 */
function sameClient(one: string, other: string): boolean {
  return addressGroup(one) === addressGroup(other) || (isLoopback(one) && isLoopback(other));
}

function isLoopbackHost(host: string): boolean {
  return isLoopback(host) || /(^|\.)localhost$/.test(host);
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127\./.test(address);
}
