/** Domains that public DNS never contains. */
const LOCAL = /(^|\.)(localhost|local|invalid)$/;
const IP_ADDRESS = /^\d+(\.\d+){3}$|:/;

/**
 * Returns whether other DNS records cannot refer to a domain, for example `localhost`, a name without a dot, or an IP
 * address. An instance has such a domain until an administrator sets one.
 */
export function isLocalDomain(domain: string): boolean {
  return IP_ADDRESS.test(domain) || !domain.includes('.') || LOCAL.test(domain);
}
