/**
 * Address ranges in the /24 subnet of an environment's network. Docker assigns dynamic addresses from a separate range.
 * A stopped replica can therefore keep its fixed address.
 */

import { EngineRefused } from './errors.ts';
import type { Network } from './network.ts';

/**
 * Last octet of the DNS resolver's IPv4 address on each network. The DNS resolver answers queries for internal DNS
 * names.
 */
export const NAMES_HOST = 2;

const HOSTS = { gateway: 1, names: NAMES_HOST, first: 10, last: 239, dynamic: '240/28' } as const;

/** Returns the address ranges of a network with a /24 subnet, for example `10.208.3.0/24`. */
export function networkFromSubnet(name: string, subnet: string): Network {
  return {
    name,
    subnet,
    gateway: hostOf(subnet, HOSTS.gateway),
    firstAddress: hostOf(subnet, HOSTS.first),
    lastAddress: hostOf(subnet, HOSTS.last),
  };
}

/** Returns the IPv4 address of the DNS resolver for internal names on a network. */
export function namesAddress(subnet: string): string {
  return hostOf(subnet, HOSTS.names);
}

/** Returns the CIDR range from which Docker assigns dynamic addresses on a network. */
export function dynamicRange(subnet: string): string {
  return hostOf(subnet, HOSTS.dynamic);
}

/** Returns whether an IPv4 address is in the network's range for fixed container addresses. */
export function isMemberAddress({ firstAddress, lastAddress }: Network, address: string): boolean {
  const [first, last, given] = [firstAddress, lastAddress, address].map(addressNumber);
  return first !== undefined && last !== undefined && given !== undefined && given >= first && given <= last;
}

/** @throws EngineRefused if the IPv4 address is outside the network's range for fixed container addresses */
export function assertMemberAddress(network: Network, address: string): void {
  const { firstAddress, lastAddress, name } = network;
  if (isMemberAddress(network, address)) return;
  throw new EngineRefused(
    `The container cannot be created, because its address ${address} is not in the range of the network ${name}, ${firstAddress} to ${lastAddress}.`,
  );
}

/** Returns an IPv4 address as a 32-bit number, or NaN if the text is not an IPv4 address. */
export function addressNumber(address: string): number {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return Number.NaN;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** Converts an IPv4 address from a 32-bit number to text, for example `10.208.3.1`. */
export function dottedAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/**
 * Returns the first and the last IPv4 address of a CIDR range as 32-bit numbers.
 * @throws TypeError if the text is not an IPv4 network in CIDR notation
 */
export function cidrRange(cidr: string): { first: number; last: number } {
  const [address = '', length = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(length));
  const first = Math.floor(addressNumber(address) / size) * size;
  if (!/^\d{1,2}$/.test(length) || Number(length) > 32 || Number.isNaN(first)) {
    throw new TypeError(`${cidr} is not an IPv4 network in CIDR form.`);
  }
  return { first, last: first + size - 1 };
}

function hostOf(subnet: string, host: number | string): string {
  return subnet.replace(/\.0\/24$/, `.${host}`);
}
