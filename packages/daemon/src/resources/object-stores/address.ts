/**
 * Addresses of object stores. Link-local and other reserved addresses are refused, because cloud servers offer secrets
 * there.
 */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressRule, allowsHost, bareHost, guardedLookup, isReservedAddress } from '@davit/service';
import type { StorePlace } from './client.ts';
import { StoreProblem } from './problem.ts';

const LONGEST_HOST = 253;

/**
 * Returns the canonical address of a store: scheme, host and, if it is not the default, the port. Returns `null` for an
 * invalid address.
 */
export function endpointOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\s\\]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const { origin, hostname, port } = new URL(text);
  if (hostname.length > LONGEST_HOST || port === '0') return null;
  return origin;
}

/**
 * Returns whether the endpoint contains an address that is never allowed. A host name is checked later, when it is
 * resolved.
 */
export function isRefusedEndpoint(endpoint: string): boolean {
  return !allowsHost(new URL(endpoint), (address) => !isReservedAddress(address));
}

/**
 * Error message for all refused addresses and host names. One message for all of them does not reveal what listens
 * there.
 */
export const CLOSED_ENDPOINT =
  'endpoint: cannot be resolved, or has a private address or an address of this server. Ask an admin of all projects to link the object store again, or to set another endpoint and then this one.';

const refusal = (host: string): StoreProblem =>
  new StoreProblem(
    'refused',
    `${host} has an address that Davit does not connect to, such as the metadata service of a cloud provider. Set the address of the object store.`,
  );

/**
 * Checks an endpoint that contains an IP address. A host name is checked each time a socket is opened.
 * @throws StoreProblem for an address that is never allowed, or that the limit excludes
 */
export function demandAllowed(endpoint: string, limit: AddressRule | null): void {
  const url = new URL(endpoint);
  if (isRefusedEndpoint(endpoint)) throw refusal(url.host);
  if (limit !== null && !allowsHost(url, limit)) throw closed();
}

/**
 * Returns the DNS lookup for the sockets of a store. Without path style, a request goes to `<bucket>.<endpoint>`, and
 * users with rights for some projects can choose bucket names in stores that others linked. Such a host name must
 * resolve to an address of the endpoint or to an open address. Under a domain like sslip.io, a bucket name could
 * otherwise select any address.
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
      // If the endpoint does not resolve now, only open addresses are allowed.
      const ofEndpoint = new Set(found?.map(({ address }) => address));
      const allows = (address: string) => !isReservedAddress(address) && (isOpen(address) || ofEndpoint.has(address));
      guardedLookup({ allows, refusal: elsewhere })(host, options, callback);
    });
  };
}

function elsewhere(host: string): StoreProblem {
  return new StoreProblem(
    'refused',
    `${host} has a private address that differs from the address of the endpoint. Check the name of the bucket, or set path_style to true.`,
  );
}

/** Returns a DNS lookup that checks each address when a socket is opened, because an earlier result can be outdated. */
export function lookupWithin(limit: AddressRule | null): LookupFunction {
  return guardedLookup({
    allows: (address) => !isReservedAddress(address) && (limit === null || limit(address)),
    refusal: limit === null ? refusal : () => closed(),
    // An unknown name and a closed address get one error, which does not reveal names of the private network. The error
    // has no cause: for an unknown name, the SDK would repeat the request, which takes measurably longer.
    ...(limit !== null && { unknown: () => closed() }),
  });
}

/**
 * Returns whether the host of an endpoint is or resolves to an address that is not open, such as a private address.
 * Addresses that are never allowed do not count. Returns `false` if the host does not resolve.
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
