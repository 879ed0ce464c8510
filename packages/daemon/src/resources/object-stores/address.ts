/**
 * Checks addresses of object stores. Reserved addresses are never allowed, because cloud providers offer credentials of
 * the server at such addresses.
 */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type AddressRule, allowsHost, bareHost, guardedLookup, isReservedAddress } from '@davit/service';
import type { StoreConnection } from './client.ts';
import { StoreProblem } from './problem.ts';

const LONGEST_HOST = 253;

/**
 * Returns the normalized endpoint URL of an object store: scheme, host and any port that is not the default. Returns
 * `null` for an invalid URL.
 */
export function endpointOf(text: string): string | null {
  if (!/^https?:\/\/[^/?#@\s\\]+\/?$/i.test(text) || !URL.canParse(text)) return null;
  const { origin, hostname, port } = new URL(text);
  if (hostname.length > LONGEST_HOST || port === '0') return null;
  return origin;
}

/**
 * Returns whether an endpoint URL contains a forbidden IP address. If the URL contains a host name, the IP addresses
 * are checked after DNS resolution.
 */
export function isRefusedEndpoint(endpoint: string): boolean {
  return !allowsHost(new URL(endpoint), (address) => !isReservedAddress(address));
}

/**
 * Error message for all forbidden addresses and names. The message is always the same, so that it does not show which
 * servers exist in private networks.
 */
export const CLOSED_ENDPOINT =
  'endpoint: the host name cannot be resolved, or its address is private or belongs to this server. Only an admin with access to all projects can link an object store at such an address.';

const refusal = (host: string): StoreProblem =>
  new StoreProblem(
    'refused',
    `${host} has an address to which Davit does not connect, for example that of a cloud metadata service. Set the address of the object store.`,
  );

/**
 * Checks the IP address in an endpoint URL. If the URL contains a host name, the IP addresses are checked at each
 * connection instead.
 * @throws StoreProblem if the address is reserved or forbidden by `limit`
 */
export function demandAllowed(endpoint: string, limit: AddressRule | null): void {
  const url = new URL(endpoint);
  if (isRefusedEndpoint(endpoint)) throw refusal(url.host);
  if (limit !== null && !allowsHost(url, limit)) throw closed();
}

/**
 * Returns a DNS lookup function for an object store. It allows the endpoint's addresses and public addresses of other
 * servers. A host name that contains a bucket name must not lead to a private address.
 */
export function lookupOf({
  endpoint,
  limit,
  isOpen,
}: Pick<StoreConnection, 'endpoint' | 'limit' | 'isOpen'>): LookupFunction {
  const within = lookupWithin(limit);
  if (limit !== null) return within;
  const own = bareHost(new URL(endpoint));
  return (host, options, callback) => {
    if (host === own) return within(host, options, callback);
    lookup(own, { all: true }, (_, found) => {
      // If DNS cannot resolve the endpoint now, allow only public IP addresses that do not belong to this server.
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

/**
 * Returns a DNS lookup function that checks every IP address. The check runs when a socket is opened, because an
 * earlier DNS result may be outdated.
 */
export function lookupWithin(limit: AddressRule | null): LookupFunction {
  return guardedLookup({
    allows: (address) => !isReservedAddress(address) && (limit === null || limit(address)),
    refusal: limit === null ? refusal : () => closed(),
    /*
     * Use the same error for unknown hosts and private addresses. Otherwise, the error would show which private names
     * exist.
     */
    ...(limit !== null && { unknown: () => closed() }),
  });
}

/**
 * Returns whether an endpoint resolves to a private address or to this server. Returns `false` for reserved addresses
 * and unknown hosts.
 */
export function leadsToClosed(endpoint: string, isOpen: AddressRule): Promise<boolean> {
  const find = guardedLookup({
    allows: (address) => !isReservedAddress(address) && !isOpen(address),
    refusal,
  });
  return new Promise((done) => find(bareHost(new URL(endpoint)), { all: true }, (error) => done(error === null)));
}

function closed(): StoreProblem {
  /*
   * Omit `cause`. If `cause` is a DNS error, the AWS SDK retries the request. The delay would show which private hosts
   * exist.
   */
  return new StoreProblem('forbidden', CLOSED_ENDPOINT);
}
