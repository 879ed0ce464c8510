/** Which record makes a host lead here. */
export interface DnsRecord {
  name: string;
  type: 'A' | 'AAAA' | 'CNAME';
  value: string;
}

/** Where the instance is: its own host, and its address in the world where that is set. */
export interface Place {
  domain: string;
  address: string | null;
}

/** @returns null: the host is below the instance's own domain and leads here already */
export function dnsRecordFor(host: string, { domain, address }: Place): DnsRecord | null {
  if (host === domain || host.endsWith(`.${domain}`)) return null;
  if (address !== null) return { name: host, type: address.includes(':') ? 'AAAA' : 'A', value: address };
  // A name that has a zone of its own takes no CNAME; where that is cannot be told from the name alone.
  if (host.split('.').length <= 2) return { name: host, type: 'A', value: `the address of ${domain}` };
  return { name: host, type: 'CNAME', value: `${domain}.` };
}
