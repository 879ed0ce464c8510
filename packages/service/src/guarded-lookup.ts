import { type LookupOptions, lookup } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import type { AddressRule } from './open-address.ts';

export interface LookupRule {
  /** Returns whether a connection to this address is allowed. */
  allows: AddressRule;
  /** Error for a name without an allowed address. */
  refusal: (host: string) => Error;
  /** Error for a name that cannot be resolved. Default: the resolver's error. */
  unknown?: (host: string, error: Error) => Error;
}

/**
 * Returns a DNS lookup for sockets that yields only allowed addresses. The rule is applied at connection time, so a
 * name whose address changes after an earlier check is refused too. Sockets do not look up a host that is already an
 * address: check such a host with {@link allowsHost} before the request.
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
 * Returns whether a URL may be requested according to its text. The result is `true` for a name, which the lookup
 * checks later.
 */
export function allowsHost(url: URL, allows: AddressRule): boolean {
  const host = bareHost(url);
  return isIP(host) === 0 || allows(host);
}
