import { BlockList, isIP, isIPv4, isIPv6, SocketAddress } from 'node:net';

const METADATA_IPV4 = [
  '169.254.0.0/16',
  // Alibaba Cloud.
  '100.100.100.200/32',
  // Azure's WireServer. It is also the name server there. The range is a public one.
  '168.63.129.16/32',
  // Oracle Cloud.
  '192.0.0.192/32',
];

/**
 * Ranges in CIDR form in which clouds publish what only the server itself may read, such as its credentials: the link-local
 * addresses, and the addresses of those services that are not link-local.
 */
export const METADATA = {
  ipv4: METADATA_IPV4,
  ipv6: [
    'fe80::/10',
    // AWS.
    'fd00:ec2::/32',
    // Google Cloud.
    'fd20:ce::254/128',
    // Oracle Cloud.
    'fd00:c1::a9fe:a9fe/128',
    // Akamai (Linode).
    'fd00:a9fe:a9fe::1/128',
    // Scaleway.
    'fd00:42::42/128',
    // Alibaba Cloud.
    'fd00:100::100:200/128',
    // Those of IPv4 through a NAT64 translator.
    ...METADATA_IPV4.map(throughNat64),
  ],
};

function throughNat64(range: string): string {
  const [network, bits] = range.split('/');
  const { address } = new SocketAddress({ address: `64:ff9b::${network}`, family: 'ipv6' });
  return `${address}/${96 + Number(bits)}`;
}

/** What is not routed over the internet, or means something else than one machine. */
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

/** Of IPv6, what is given out at all. */
const GIVEN_OUT = new BlockList();
GIVEN_OUT.addSubnet('2000::', 3, 'ipv6');

/** Whether an address is one that the whole world could reach. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !NOT_PUBLIC.check(address, 'ipv4');
  return isIPv6(address) && GIVEN_OUT.check(address, 'ipv6') && !NOT_PUBLIC.check(address, 'ipv6');
}

/**
 * Addresses that no server of a user has: those of metadata services, unspecified and multicast ones.
 */
const RESERVED = new BlockList();
for (const range of [...METADATA.ipv4, '0.0.0.0/8', '224.0.0.0/3']) addRange(RESERVED, range, 'ipv4');
for (const range of [...METADATA.ipv6, 'ff00::/8', '::/128']) addRange(RESERVED, range, 'ipv6');

function addRange(list: BlockList, range: string, family: 'ipv4' | 'ipv6'): void {
  const [network = '', bits] = range.split('/');
  list.addSubnet(network, Number(bits), family);
}

/** Whether an address must not be requested even where private addresses are allowed; `true` for text that is none. */
export function isReservedAddress(address: string): boolean {
  const family = isIP(address);
  // The list matches an IPv4-mapped IPv6 address as the IPv4 address.
  return family === 0 || RESERVED.check(address, family === 6 ? 'ipv6' : 'ipv4');
}
