/**
 * How a network's /24 is cut up. The engine gives addresses of its own to what has no fixed one (a one-off command), so
 * it is kept to a range where no instance's address is: an address that is recorded for a stopped instance is not free.
 */

import { EngineRefused } from './errors.ts';
import type { Network } from './network.ts';

/** The host number of the resolver of internal names, the same on every network. */
export const NAMES_HOST = 2;

const HOSTS = { gateway: 1, names: NAMES_HOST, first: 10, last: 239, dynamic: '240/28' } as const;

/** A network of the given /24, for example `10.208.3.0/24`. */
export function networkFromSubnet(name: string, subnet: string): Network {
  return {
    name,
    subnet,
    gateway: hostOf(subnet, HOSTS.gateway),
    firstAddress: hostOf(subnet, HOSTS.first),
    lastAddress: hostOf(subnet, HOSTS.last),
  };
}

/** Where the resolver of internal names answers on a network. */
export function namesAddress(subnet: string): string {
  return hostOf(subnet, HOSTS.names);
}

/** The range from which the engine itself may give addresses. */
export function dynamicRange(subnet: string): string {
  return hostOf(subnet, HOSTS.dynamic);
}

/** Returns whether an address is one for instances on this network. */
export function isMemberAddress({ firstAddress, lastAddress }: Network, address: string): boolean {
  const [first, last, given] = [firstAddress, lastAddress, address].map(addressNumber);
  return first !== undefined && last !== undefined && given !== undefined && given >= first && given <= last;
}

/** @throws EngineRefused for an address that is not one for instances on this network */
export function assertMemberAddress(network: Network, address: string): void {
  const { firstAddress, lastAddress, name } = network;
  if (isMemberAddress(network, address)) return;
  throw new EngineRefused(
    `create container: ${address} is not an address for instances on ${name}: these are ${firstAddress} to ${lastAddress}`,
  );
}

/** An IPv4 address as a number; NaN for anything else. */
export function addressNumber(address: string): number {
  const parts = address.split('.');
  if (parts.length !== 4 || parts.some((part) => !/^\d{1,3}$/.test(part) || Number(part) > 255)) return Number.NaN;
  return parts.reduce((sum, part) => sum * 256 + Number(part), 0);
}

/** The dotted form of {@link addressNumber}. */
export function dottedAddress(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.');
}

/** First and last address of a CIDR, as numbers. */
export function cidrRange(cidr: string): { first: number; last: number } {
  const [address = '', length = ''] = cidr.split('/');
  const size = 2 ** (32 - Number(length));
  const first = Math.floor(addressNumber(address) / size) * size;
  if (!/^\d{1,2}$/.test(length) || Number(length) > 32 || Number.isNaN(first)) {
    throw new TypeError(`${cidr} is not an IPv4 network in CIDR form`);
  }
  return { first, last: first + size - 1 };
}

function hostOf(subnet: string, host: number | string): string {
  return subnet.replace(/\.0\/24$/, `.${host}`);
}
