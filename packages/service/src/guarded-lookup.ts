import { type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRule } from './open-address.ts';

export interface LookupRule {
  allows: AddressRule;
  /** Creates the error for a host name that has no allowed IP address. */
  refusal: (host: string) => Error;
  /** Creates the error for a host name that cannot be resolved. Default: the error of the DNS resolver. */
  unknown?: (host: string, error: Error) => Error;
}

/**
 * Returns a DNS lookup function for sockets that yields only allowed IP addresses. Because a socket calls it when it
 * connects, it also refuses a host name whose address changed after an earlier check.
 *
 * Sockets do not call it for a host that is already an IP address. Check such a host with `allowsHost` before the
 * request.
 */
export function guardedLookup({ allows, refusal, unknown = (_, error) => error }: LookupRule): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...(options as LookupOptions), all: true }, (error, found) => {
      if (error) return callback(unknown(host, error), '', 0);
      const allowed = found.filter(({ address }) => allows(address));
      const [first] = allowed;
      if (first === undefined) return callback(refusal(host), '', 0);
      if (options.all) return callback(null, allowed);
      return callback(null, first.address, first.family);
    });
  };
}

/** Returns the host of a URL without the brackets of an IPv6 address. */
export function bareHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

/**
 * Returns whether the host of a URL is an allowed IP address. Returns `true` for a host name, because its IP addresses
 * are checked when the socket looks it up.
 */
export function allowsHost(url: URL, allows: AddressRule): boolean {
  const host = bareHost(url);
  return isIP(host) === 0 || allows(host);
}
