import { BlockList, isIP } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { isPublicAddress, isReservedAddress } from './public-address.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Returns whether a connection to an IP address is allowed. */
export type AddressRule = (address: string) => boolean;

export interface OpenAddressOptions {
  /**
   * Returns the public IP address of the server, or `null` if it is unknown. If the server is behind NAT, no network
   * interface has this address.
   */
  publicAddress: () => string | null;
  /** Returns the network interfaces of the server. Default: the interfaces that the operating system reports. */
  interfaces?: () => NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address'>[]>;
}

/**
 * Returns a rule that allows public IP addresses, but not those of this server, because its connections to itself
 * bypass its firewall.
 */
export function openAddresses(options: OpenAddressOptions): AddressRule {
  return (address) => isPublicAddress(address) && !isOfServer(options, address);
}

/**
 * Returns a rule that allows connections to the IP addresses of this server. It does not allow loopback and link-local
 * addresses.
 */
export function ownAddresses(options: OpenAddressOptions): AddressRule {
  return (address) => !isReservedAddress(address) && !isLoopback(address) && isOfServer(options, address);
}

function isOfServer({ publicAddress, interfaces = networkInterfaces }: OpenAddressOptions, address: string): boolean {
  const own = [publicAddress(), ...Object.values(interfaces()).flatMap(addressesOf)];
  return own.some((one) => one !== null && isSameAddress(one, address));
}

function isLoopback(address: string): boolean {
  return LOOPBACK.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

function addressesOf(all: Pick<NetworkInterfaceInfo, 'address'>[] = []): string[] {
  return all.map(({ address }) => address);
}

/** Compares IP addresses by value, because an IPv6 address can be written in several ways. */
function isSameAddress(own: string, address: string): boolean {
  const family = isIP(own);
  if (family === 0 || isIP(address) === 0) return false;
  const list = new BlockList();
  list.addAddress(own, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
