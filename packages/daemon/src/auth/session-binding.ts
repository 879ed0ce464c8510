import { addressGroup, callerAddress, hostnameOf, isSecure, type RequestFacts } from './facts.ts';

/**
 * Returns whether browsers send the session cookie to all ports of the host. Browsers do this on connections without
 * TLS, and for loopback hosts, which browsers treat as secure.
 */
export function isExposed(facts: RequestFacts): boolean {
  return !isSecure(facts) || isLoopbackHost(hostnameOf(facts.headers.host));
}

/**
 * Returns whether a request may use a session. The request and the sign-in must both use TLS, or both use plain HTTP.
 * If other programs can receive the session cookie, the request must also come from the IP address of the sign-in.
 */
export function mayUseSession(
  facts: RequestFacts,
  { is_plain, is_exposed, address }: { is_plain: number; is_exposed: number; address: string | null },
): boolean {
  if (isSecure(facts) === (is_plain === 1)) return false;
  return is_exposed === 0 || (address !== null && sameClient(callerAddress(facts), address));
}

/**
 * Returns whether two IP addresses belong to the same client. All loopback addresses belong to one client, because a
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
