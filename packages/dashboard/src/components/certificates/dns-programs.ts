/**
 * Common DNS providers, each with the environment variables for its credentials. Users can also enter the name of any
 * other DNS provider that the `lego` library supports.
 */
export interface KnownProvider {
  code: string;
  name: string;
  variables: readonly string[];
}

export const KNOWN: readonly KnownProvider[] = [
  { code: 'cloudflare', name: 'Cloudflare', variables: ['CF_DNS_API_TOKEN'] },
  { code: 'route53', name: 'Amazon Route 53', variables: ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_REGION'] },
  { code: 'bunny', name: 'Bunny', variables: ['BUNNY_API_KEY'] },
  { code: 'desec', name: 'deSEC', variables: ['DESEC_TOKEN'] },
  { code: 'digitalocean', name: 'DigitalOcean', variables: ['DO_AUTH_TOKEN'] },
  { code: 'dnsimple', name: 'DNSimple', variables: ['DNSIMPLE_OAUTH_TOKEN'] },
  { code: 'duckdns', name: 'Duck DNS', variables: ['DUCKDNS_TOKEN'] },
  { code: 'gandiv5', name: 'Gandi', variables: ['GANDIV5_PERSONAL_ACCESS_TOKEN'] },
  { code: 'godaddy', name: 'GoDaddy', variables: ['GODADDY_API_KEY', 'GODADDY_API_SECRET'] },
  { code: 'inwx', name: 'INWX', variables: ['INWX_USERNAME', 'INWX_PASSWORD'] },
  { code: 'ionos', name: 'IONOS', variables: ['IONOS_API_KEY'] },
  { code: 'linode', name: 'Linode', variables: ['LINODE_TOKEN'] },
  { code: 'namecheap', name: 'Namecheap', variables: ['NAMECHEAP_API_USER', 'NAMECHEAP_API_KEY'] },
  { code: 'netcup', name: 'netcup', variables: ['NETCUP_CUSTOMER_NUMBER', 'NETCUP_API_KEY', 'NETCUP_API_PASSWORD'] },
  {
    code: 'ovh',
    name: 'OVH',
    variables: ['OVH_ENDPOINT', 'OVH_APPLICATION_KEY', 'OVH_APPLICATION_SECRET', 'OVH_CONSUMER_KEY'],
  },
  { code: 'porkbun', name: 'Porkbun', variables: ['PORKBUN_API_KEY', 'PORKBUN_SECRET_API_KEY'] },
  {
    code: 'rfc2136',
    name: 'Your own DNS server (RFC 2136)',
    variables: ['RFC2136_NAMESERVER', 'RFC2136_TSIG_ALGORITHM', 'RFC2136_TSIG_KEY', 'RFC2136_TSIG_SECRET'],
  },
  { code: 'vultr', name: 'Vultr', variables: ['VULTR_API_KEY'] },
];

export function providerName(code: string): string {
  return KNOWN.find((known) => known.code === code)?.name ?? code;
}
