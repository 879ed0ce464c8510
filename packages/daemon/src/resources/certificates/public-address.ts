/**
 * Functions that find the public IP address of this server, and derive the default domain of the instance from this
 * address. The functions are pure.
 */
import { isIPv4 } from 'node:net';
import type { NetworkInterfaceInfo } from 'node:os';
import { isPublicAddress } from '@davit/service';

export type Interfaces = NodeJS.Dict<NetworkInterfaceInfo[]>;

const EVERYWHERE = ['0.0.0.0', '::'];

/**
 * Returns the public IP address on which the API listens, or `null`. If the API listens on several public addresses,
 * returns an IPv4 address if possible.
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
  /*
   * Write an IPv6 address with all its groups. In the short form, a host name can have hyphens as third and fourth
   * characters. Certificate authorities reject such host names.
   */
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
 * Returns a note that the instance has no domain and uses a default domain. Returns an empty list if the instance has a
 * domain.
 */
export function standInNote({ domain, domainAddress }: { domain: string; domainAddress: string | null }): string[] {
  if (domainAddress === null) return [];
  return [`No domain is set, so Davit uses ${domain}, which resolves to ${domainAddress}.`];
}

/** Possible sources of the instance's domain, in order of priority. */
export interface DomainSources {
  /** Domain in the instance settings, or `null` if no domain is set. */
  domain: string | null;
  /** Public IP address in the instance settings, or `null` if no address is set. */
  publicAddress: string | null;
  /** Domain from the daemon's configuration, or the default domain if the configuration contains no domain. */
  configured: string;
  /** Whether a command line option or environment variable sets the domain. */
  isConfigured: boolean;
  /** Public IP address on which the API listens, or `null`. */
  listenAddress: string | null;
}

/**
 * Returns the domain of the instance. If the domain is derived from an IP address, such as `203-0-113-1.sslip.io`, also
 * returns this address.
 */
export function domainOf(from: DomainSources): { domain: string; address: string | null } {
  if (from.domain !== null) return { domain: from.domain, address: null };
  const address = from.publicAddress ?? from.listenAddress;
  if (from.isConfigured || address === null) return { domain: from.configured, address: null };
  return { domain: sslipDomain(address), address };
}
