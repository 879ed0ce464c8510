/**
 * Functions that find the public IP address of this server and create the default domain from the address. The
 * functions are pure.
 */
import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isPublicAddress } from '@davit/service';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * Returns the public IP address on which the API listens, or `null`. If the API listens on all addresses, IPv4 is
 * preferred.
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

/** Returns the host name under sslip.io that resolves to an IP address, for example `203-0-113-1.sslip.io`. */
export function sslipDomain(address: string): string {
  // Write IPv6 addresses in full, because authorities reject labels with hyphens as third and fourth characters.
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

/**
 * Returns a note that no domain is set and that Davit uses a default domain. Returns an empty list if a domain is set.
 */
export function standInNote({ domain, domainAddress }: { domain: string; domainAddress: string | null }): string[] {
  if (domainAddress === null) return [];
  return [`No domain is set, so Davit uses ${domain}, which resolves to ${domainAddress}.`];
}

/** Possible sources of the instance's domain, highest priority first. */
export interface DomainSources {
  /** Domain in the instance settings, or `null`. */
  domain: string | null;
  /** Public IP address in the instance settings, or `null`. */
  publicAddress: string | null;
  /** Domain from the daemon's configuration. If the configuration has no domain, this is the default domain. */
  configured: string;
  /** Whether a flag or environment variable sets the domain explicitly. */
  isConfigured: boolean;
  /** Public IP address on which the API listens, or `null`. */
  listenAddress: string | null;
}

/**
 * Returns the domain of the instance, and the IP address if the domain was derived from one, such as
 * `203-0-113-1.sslip.io`.
 */
export function domainOf(from: DomainSources): { domain: string; address: string | null } {
  if (from.domain !== null) return { domain: from.domain, address: null };
  const address = from.publicAddress ?? from.listenAddress;
  if (from.isConfigured || address === null) return { domain: from.configured, address: null };
  return { domain: sslipDomain(address), address };
}
