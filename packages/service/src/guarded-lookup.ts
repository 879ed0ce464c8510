import { type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRule } from './open-address.ts';

export interface LookupRule {
  allows: AddressRule;
  /** Creates the error for a host name that has no allowed IP address. */
  refusal: (host: string) => Error;
  /** Creates the error for a host name that DNS cannot resolve. By default, the DNS resolver's own error is used. */
  unknown?: (host: string, error: Error) => Error;
}

/**
 * Returns a DNS lookup function for sockets that returns only allowed IP addresses. Each new connection looks up the
 * host name again, so a later change of the DNS record is also checked.
 *
 * A socket does not call the function if the host is an IP address. Check such a host with `allowsHost` before the
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
 * Returns `false` if the host of a URL is an IP address that is not allowed. Returns `true` for every host name,
 * because the DNS lookup of the socket checks its IP addresses later.
 */
export function allowsHost(url: URL, allows: AddressRule): boolean {
  const host = bareHost(url);
  return isIP(host) === 0 || allows(host);
}
