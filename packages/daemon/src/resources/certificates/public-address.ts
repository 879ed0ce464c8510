/** Under which address the world reaches this machine, and the domain that stands for it. Pure. */
import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isPublicAddress } from '@davit/service';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * The public address on which the API was told to listen: that one, or the machine's first when it listens on all. IPv4
 * goes first, since everybody has it.
 * @returns null: it listens where the world does not get to
 */
export function publicListenAddress(listen: string, interfaces: Interfaces): string | null {
  if (!EVERYWHERE.includes(listen)) return isPublicAddress(listen) ? listen : null;
  const addresses = Object.values(interfaces)
    .flatMap((all) => all ?? [])
    .filter(({ family, internal }) => !internal && (listen === '::' || family === 'IPv4'))
    .map(({ address }) => address)
    .filter(isPublicAddress);
  return addresses.find((address) => isIPv4(address)) ?? addresses[0] ?? null;
}

/**
 * The host under sslip.io that resolves to an address: `a-b-c-d.sslip.io`. All groups of an IPv6 address are written
 * out: authorities refuse a label with two dashes at its third place.
 */
export function sslipDomain(address: string): string {
  return `${isIPv4(address) ? address.replaceAll('.', '-') : groupsOf(address).join('-')}.sslip.io`;
}

function groupsOf(address: string): string[] {
  const [plain = ''] = address.toLowerCase().split('%');
  const [head = '', tail] = plain.split('::');
  const split = (text: string) => (text === '' ? [] : text.split(':'));
  if (tail === undefined) return split(head);
  const [first, last] = [split(head), split(tail)];
  return [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
}

/** A domain that nobody chose is said, at the start and with the instance. */
export function standInNote({ domain, domainAddress }: { domain: string; domainAddress: string | null }): string[] {
  if (domainAddress === null) return [];
  return [`No domain is set: ${domain} stands in, which resolves to ${domainAddress}.`];
}

/** What the domain of an instance comes from, the first that there is. */
export interface DomainSources {
  /** Of the settings. */
  domain: string | null;
  /** Of the settings. */
  publicAddress: string | null;
  /** Of the configuration. */
  configured: string;
  /** It was set by hand there. */
  isConfigured: boolean;
  /** {@link publicListenAddress}, when the instance started. */
  listenAddress: string | null;
}

/** The domain, and the address that it stands for where nobody chose one. */
export function domainOf(from: DomainSources): { domain: string; address: string | null } {
  if (from.domain !== null) return { domain: from.domain, address: null };
  const address = from.publicAddress ?? from.listenAddress;
  if (from.isConfigured || address === null) return { domain: from.configured, address: null };
  return { domain: sslipDomain(address), address };
}
