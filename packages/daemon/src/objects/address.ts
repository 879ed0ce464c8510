/** Where a store may be: anywhere but at what a machine tells its own programs in confidence. */
import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { StoreProblem } from './problem.ts';

/** Link-local addresses, where clouds tell machines their credentials; what is nobody's; and the same in IPv6. */
const REFUSED = new BlockList();
REFUSED.addSubnet('169.254.0.0', 16, 'ipv4');
REFUSED.addSubnet('0.0.0.0', 8, 'ipv4');
REFUSED.addSubnet('224.0.0.0', 3, 'ipv4');
REFUSED.addAddress('100.100.100.200', 'ipv4');
REFUSED.addAddress('192.0.0.192', 'ipv4');
REFUSED.addSubnet('fe80::', 10, 'ipv6');
REFUSED.addSubnet('ff00::', 8, 'ipv6');
REFUSED.addSubnet('fd00:ec2::', 32, 'ipv6');
// The first of these by way of a translator.
REFUSED.addSubnet('64:ff9b::a9fe:0', 112, 'ipv6');
REFUSED.addAddress('::', 'ipv6');

function isRefused(address: string): boolean {
  const family = isIP(address);
  // An IPv4 address in the clothes of IPv6 is that address: the list knows both.
  return family === 0 || REFUSED.check(address, family === 6 ? 'ipv6' : 'ipv4');
}

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
  const host = new URL(endpoint).hostname.replace(/^\[|\]$/g, '');
  return isIP(host) !== 0 && isRefused(host);
}

const refusal = (host: string): StoreProblem =>
  new StoreProblem(
    'refused',
    `${host} leads to an address that is not asked, such as a cloud’s own: name the store’s.`,
  );

/** @throws StoreProblem for an address that is never asked */
export function demandAllowed(endpoint: string): void {
  if (isRefusedEndpoint(endpoint)) throw refusal(new URL(endpoint).host);
}

/** Resolves a name for a socket, each time it is opened: what a name led to a moment ago says nothing about now. */
export const guardedLookup: LookupFunction = (host, options, callback) => {
  lookup(host, { ...(options as LookupOptions), all: true }, (error, found) => {
    if (error) return callback(error, '', 0);
    const allowed = found.filter(({ address }) => !isRefused(address));
    const [first] = allowed;
    if (first === undefined) return callback(refusal(host) as NodeJS.ErrnoException, '', 0);
    if (options.all) return callback(null, allowed satisfies LookupAddress[]);
    return callback(null, first.address, first.family);
  });
};
