/** Where a store may be: anywhere but at what a machine tells its own programs in confidence. */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressRule, allowsHost, bareHost, guardedLookup, isReservedAddress } from '@davit/service';
import type { StorePlace } from './client.ts';
import { StoreProblem } from './problem.ts';

const LONGEST_HOST = 253;

/**
 * The one spelling of a store's address: scheme, host and, where it is not the scheme's, port. Null: it is none.
 */
export function endpointOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\s\\]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const { origin, hostname, port } = new URL(text);
  if (hostname.length > LONGEST_HOST || port === '0') return null;
  return origin;
}

/** Whether a store's address is one that is never asked, as far as it says itself: a name is looked at when it is resolved. */
export function isRefusedEndpoint(endpoint: string): boolean {
  return !allowsHost(new URL(endpoint), (address) => !isReservedAddress(address));
}

/** The same sentence for every refused address and host name, so that it does not reveal what listens there. */
export const CLOSED_ENDPOINT =
  'endpoint: does not resolve, or leads to a private address or an address of this server. An admin with rights for all projects can allow it: link the store again, or set another endpoint and then this one again.';

const refusal = (host: string): StoreProblem =>
  new StoreProblem(
    'refused',
    `${host} leads to an address that is not asked, such as a cloud’s own: name the store’s.`,
  );

/**
 * Checks an endpoint that is an address: a host name is checked each time a socket is opened.
 * @throws StoreProblem for an address that is never allowed, or that the limit excludes
 */
export function demandAllowed(endpoint: string, limit: AddressRule | null): void {
  const url = new URL(endpoint);
  if (isRefusedEndpoint(endpoint)) throw refusal(url.host);
  if (limit !== null && !allowsHost(url, limit)) throw closed();
}

/**
 * Resolves the names of a store for its sockets. Without path style, a request goes to `<bucket>.<endpoint>`, and users with
 * rights for some projects name buckets also in stores that others linked. Such a name must lead to the endpoint or to an
 * open address: under a domain like sslip.io, a bucket could lead to any address.
 */
export function lookupOf({
  endpoint,
  limit,
  isOpen,
}: Pick<StorePlace, 'endpoint' | 'limit' | 'isOpen'>): LookupFunction {
  const within = lookupWithin(limit);
  if (limit !== null) return within;
  const own = bareHost(new URL(endpoint));
  return (host, options, callback) => {
    if (host === own) return within(host, options, callback);
    lookup(own, { all: true }, (_, found) => {
      // If the endpoint does not resolve at the moment, only open addresses remain.
      const ofEndpoint = new Set(found?.map(({ address }) => address));
      const allows = (address: string) => !isReservedAddress(address) && (isOpen(address) || ofEndpoint.has(address));
      guardedLookup({ allows, refusal: elsewhere })(host, options, callback);
    });
  };
}

function elsewhere(host: string): StoreProblem {
  return new StoreProblem(
    'refused',
    `${host} leads to a private address that is not the endpoint’s: check the name of the bucket, or set path_style to true.`,
  );
}

/** Resolves a name for a socket, each time it is opened: what a name led to a moment ago says nothing about now. */
export function lookupWithin(limit: AddressRule | null): LookupFunction {
  return guardedLookup({
    allows: (address) => !isReservedAddress(address) && (limit === null || limit(address)),
    refusal: limit === null ? refusal : () => closed(),
    // An unknown name and a closed address have the same answer, which does not tell what names the private network has.
    // It has no cause: the SDK would send the request again for an unknown name, which takes longer.
    ...(limit !== null && { unknown: () => closed() }),
  });
}

/**
 * Whether the host of an endpoint is or resolves to an address that is not open, such as a private one. An address that is
 * never requested does not count. `false` if the host does not resolve.
 */
export function leadsToClosed(endpoint: string, isOpen: AddressRule): Promise<boolean> {
  const find = guardedLookup({
    allows: (address) => !isReservedAddress(address) && !isOpen(address),
    refusal,
  });
  return new Promise((done) => find(bareHost(new URL(endpoint)), { all: true }, (error) => done(error === null)));
}

function closed(): StoreProblem {
  return new StoreProblem('forbidden', CLOSED_ENDPOINT);
}
