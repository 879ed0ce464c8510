/** Matches domains that public DNS never contains. */
const LOCAL = /(^|\.)(localhost|local|invalid)$/;
const IP_ADDRESS = /^\d+(\.\d+){3}$|:/;

/**
 * Returns whether a domain is local, such as `localhost`, a name without a dot, or an IP address. A CNAME record cannot
 * refer to a local domain. An instance has a local domain until an administrator sets another domain.
 */
export function isLocalDomain(domain: string): boolean {
  return IP_ADDRESS.test(domain) || !domain.includes('.') || LOCAL.test(domain);
}
