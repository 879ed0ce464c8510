import { addressGroup, callerAddress, hostnameOf, isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns whether browsers also send the session cookie to programs on other ports of the same host. Without TLS,
 * browsers send every cookie to all ports. On loopback hosts, they do this even with TLS, because they treat
 * `http://localhost:<port>` as secure.
 */
export function isExposed(facts: RequestFacts): boolean {
  return !isSecure(facts) || isLoopbackHost(hostnameOf(facts.headers.host));
}

/**
 * Returns whether a request may use a session. If the session started with TLS, the request must use TLS. If the
 * session started without TLS, the request must not use TLS. If other programs on the server can read the session
 * cookie, the request must come from the same IP address as the sign-in.
 */
export function mayUseSession(
  facts: RequestFacts,
  { is_plain, is_exposed, address }: { is_plain: number; is_exposed: number; address: string | null },
): boolean {
  if (isSecure(facts) === (is_plain === 1)) return false;
  return is_exposed === 0 || (address !== null && sameClient(callerAddress(facts), address));
}

/**
 * Returns whether two IP addresses belong to the same client. All loopback addresses count as one client, because a
 * browser can use IPv4 or IPv6.
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
