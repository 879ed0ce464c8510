import { isLocalDomain } from '../../util/local-domain.ts';

/** DNS record that points a host name to the instance. */
export interface DnsRecord {
  name: string;
  type: 'A' | 'AAAA' | 'CNAME';
  value: string;
}

/** Domain name and public IP address of the instance. The IP address is `null` if none is configured. */
export interface InstanceAddress {
  domain: string;
  address: string | null;
}

/**
 * Returns the DNS record that the host name of an app needs.
 * @returns `null` for the instance's own domain and its subdomains, because they already point to the server. `unknown`
 * if the instance has no public IP address and no domain that a DNS record can refer to.
 */
export function dnsRecordFor(host: string, { domain, address }: InstanceAddress): DnsRecord | 'unknown' | null {
  if (host === domain || host.endsWith(`.${domain}`) || isLocalDomain(host)) return null;
  if (address !== null) return { name: host, type: address.includes(':') ? 'AAAA' : 'A', value: address };
  if (isLocalDomain(domain)) return 'unknown';
  /*
   * Suggest an A record for a host name with at most two labels. Such a host name is probably a zone apex. A zone apex
   * cannot have a CNAME record.
   */
  if (host.split('.').length <= 2) return { name: host, type: 'A', value: `the IP address of ${domain}` };
  return { name: host, type: 'CNAME', value: `${domain}.` };
}
