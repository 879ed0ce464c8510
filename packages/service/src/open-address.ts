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
   * Returns the public IP address of the server, or `null` if the address is unknown. If the server is behind NAT, no
   * network interface has this address.
   */
  publicAddress: () => string | null;
  /**
   * Returns the network interfaces of the server. By default, these are the interfaces that the operating system
   * reports.
   */
  interfaces?: () => NodeJS.Dict<Pick<NetworkInterfaceInfo, 'address'>[]>;
}

/**
 * Returns a rule that allows public IP addresses, except the addresses of this server. Connections of the server to
 * itself bypass its firewall.
 */
export function openAddresses(options: OpenAddressOptions): AddressRule {
  return (address) => isPublicAddress(address) && !isOfServer(options, address);
}

/**
 * Returns a rule that allows connections to the IP addresses of this server. Loopback and link-local addresses are not
 * allowed.
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

/** Compares two IP addresses by value, because the same IPv6 address can be written in several ways. */
function isSameAddress(own: string, address: string): boolean {
  const family = isIP(own);
  if (family === 0 || isIP(address) === 0) return false;
  const list = new BlockList();
  list.addAddress(own, family === 6 ? 'ipv6' : 'ipv4');
  return list.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}
