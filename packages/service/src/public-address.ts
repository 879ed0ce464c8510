import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

const METADATA_IPV4 = [
  '169.254.0.0/16',
  // Address of Alibaba Cloud's metadata service. Apps must not reach it.
  '100.100.100.200/32',
  // Public address of Azure's internal platform service and DNS server. Apps must not reach it.
  '168.63.129.16/32',
  // IPv4 address of Oracle Cloud's metadata service. Apps must not reach it.
  '192.0.0.192/32',
];

/**
 * IP ranges of the metadata services of cloud providers, and all link-local addresses. Apps must not reach these
 * addresses, because metadata services return credentials.
 */
export const METADATA = {
  ipv4: METADATA_IPV4,
  ipv6: [
    'fe80::/10',
    // Metadata service of AWS.
    'fd00:ec2::/32',
    // Metadata service of Google Cloud.
    'fd20:ce::254/128',
    // IPv6 address of Oracle Cloud's metadata service. Apps must not reach it.
    'fd00:c1::a9fe:a9fe/128',
    // Metadata service of Akamai (Linode).
    'fd00:a9fe:a9fe::1/128',
    // Metadata service of Scaleway.
    'fd00:42::42/128',
    // IPv6 address of Alibaba Cloud's metadata service. Apps must not reach it.
    'fd00:100::100:200/128',
    /*
     * The IPv4 addresses of metadata services, converted to IPv6 addresses. Networks that translate IPv6 to IPv4
     * (NAT64) use these addresses.
     */
    ...METADATA_IPV4.map(throughNat64),
  ],
};

function throughNat64(range: string): string {
  const [network, bits] = range.split('/');
  const { address } = new SocketAddress({ address: `64:ff9b::${network}`, family: 'ipv6' });
  return `${address}/${96 + Number(bits)}`;
}

/** IP ranges that are not routed on the internet, or whose addresses do not identify a single machine. */
const NOT_PUBLIC = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv4');
}
for (const [network, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const) {
  NOT_PUBLIC.addSubnet(network, bits, 'ipv6');
}

/** IPv6 range from which all public IPv6 addresses are assigned. */
const GIVEN_OUT = new BlockList();
GIVEN_OUT.addSubnet('2000::', 3, 'ipv6');

/** Returns whether an IP address is public, which means reachable from the internet. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC.check(address, 'ipv4');
  return isIPv6(address) && GIVEN_OUT.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/**
 * IP addresses that can never belong to the server of a user. These are metadata services of cloud providers,
 * unspecified addresses and multicast addresses.
 */
const RESERVED = new BlockList();
for (const range of [...METADATA.ipv4, '0.0.0.0/8', '224.0.0.0/3']) addRange(RESERVED, range, 'ipv4');
for (const range of [...METADATA.ipv6, 'ff00::/8', '::/128']) addRange(RESERVED, range, 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits] = range.split('/');
  list.addSubnet(network, Number(bits), family);
}

/**
 * Returns whether requests to an IP address are always forbidden, for example to a metadata service. Returns `true` for
 * text that is not an IP address.
 */
export function isReservedAddress(address: string): boolean {
  const family = isIP(address);
  // If an IPv6 address contains an IPv4 address (IPv4-mapped), Node's `BlockList` checks the IPv4 address.
  return family === 0 || RESERVED.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
