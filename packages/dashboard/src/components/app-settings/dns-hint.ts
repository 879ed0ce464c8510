/** DNS record that points a host to the instance. */
export interface DnsRecord {
  name: string;
  type: 'A' | 'AAAA' | 'CNAME';
  value: string;
}

/** Location of the instance: its own domain, and its public IP address if one is set. */
export interface Place {
  domain: string;
  address: string | null;
}

/**
 * Returns the record that a host needs.
 * @returns `null` if the host is below the instance's own domain and already points to the instance
 */
export function dnsRecordFor(host: string, { domain, address }: Place): DnsRecord | null {
  if (host === domain || host.endsWith(`.${domain}`)) return null;
  if (address !== null) return { name: host, type: address.includes(':') ? 'AAAA' : 'A', value: address };
  // The apex of a DNS zone cannot have a CNAME. A name with two labels is probably an apex, but the name alone does not
  // show it.
  if (host.split('.').length <= 2) return { name: host, type: 'A', value: `the IP address of ${domain}` };
  return { name: host, type: 'CNAME', value: `${domain}.` };
}
