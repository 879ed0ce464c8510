/** Validates the setting `host_access`, which lists the services of the server that containers may connect to. */
import { BlockList, isIPv6, SocketAddress } from 'node:net';
import { type InstanceSettings, invalidField } from '@davit/api';
import { METADATA } from '@davit/service';

type HostAccess = InstanceSettings['host_access'];

/**
 * Address ranges of the server to which containers must not connect. IPv4 and IPv6 need separate lists. In a common
 * list, `::ffff:0:0/96` would match all IPv4 addresses.
 */
const CLOSED = {
  ipv4: blockList('ipv4', ['0.0.0.0/8', '127.0.0.0/8', ...METADATA.ipv4, '224.0.0.0/3']),
  // Exclude `::ffff:0:0/96` (IPv4 addresses in IPv6 notation), because IP packets do not contain such addresses.
  ipv6: blockList('ipv6', ['::/96', '::ffff:0:0/96', ...METADATA.ipv6, 'ff00::/8']),
};

function blockList(family: 'ipv4' | 'ipv6', subnets: string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}

/**
 * Returns the setting `host_access` with normalized addresses and without duplicates.
 * @throws DavitError invalid_input for an address that containers must not connect to
 */
export function canonicalHostAccess(list: HostAccess): HostAccess {
  const services = new Map<string, HostAccess[number]>();
  for (const [index, { address, port, protocol }] of list.entries()) {
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    if (CLOSED[family].check(address, family)) {
      const rule =
        'must be an address of the server. Addresses for link-local, loopback, multicast and cloud metadata are not allowed';
      throw invalidField(`host_access.${index}.address`, 'not_allowed', `${rule}.`);
    }
    const canonical = new SocketAddress({ address, family }).address;
    services.set(`${protocol} ${canonical} ${port}`, { address: canonical, port, protocol });
  }
  return [...services.values()];
}
