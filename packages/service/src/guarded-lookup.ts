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
 * DNS lookup for sockets that returns only allowed IP addresses. Sockets do not look up an IP address. Therefore, check
 * IP addresses with `allowsHost`.
 */
export function guardedLookup({ allows, refusal, unknown = (_, error) => error }: LookupRule): LookupFunction {
  return (host, options, callback) => {
    // Each connection looks up the host name again, so that a later change of the DNS record is also checked.
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
 * Returns `false` if the host of a URL is a forbidden IP address. Host names are allowed here, because the DNS lookup
 * of the socket checks them later.
 */
export function allowsHost(url: URL, allows: AddressRule): boolean {
  const host = bareHost(url);
  return isIP(host) === 0 || allows(host);
}
