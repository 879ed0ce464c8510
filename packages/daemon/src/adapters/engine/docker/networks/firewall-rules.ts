/**
 * Firewall of one Davit instance as an nftables ruleset. The rules limit which services of the server a container can
 * connect to. The rules block traffic from other bridges to the Davit instance's networks. The rules also block traffic
 * to cloud metadata services.
 *
 * The ruleset is a separate nftables table. Docker and other firewalls do not change this table when they restart. If
 * this table rejects a packet, the packet stays rejected, even if another table accepts the packet. If this table
 * accepts a packet, other rules of the server can still reject the packet.
 */
import { isIPv6 } from 'node:net';
import { METADATA } from '@davit/service';
import type { HostAccess, HostException } from '../../host-access.ts';
import { bridgePrefix } from '../../names.ts';
import { NAMES_HOST } from '../../subnets.ts';

/**
 * Returns the name of the Davit instance's nftables table: `davit_<id>`. The names of the table's chains start with the
 * table name.
 */
export function firewallTable(davitId: string): string {
  return `davit_${davitId}`;
}

/**
 * Returns the nft commands that remove the firewall rules of a Davit instance. The commands succeed even if the rules
 * do not exist.
 */
export function removalOf(davitId: string): string {
  const table = `table inet ${firewallTable(davitId)}`;
  return `add ${table}\ndelete ${table}\n`;
}

/** Properties of the server on which the firewall rules depend. */
export interface FirewallFacts {
  /**
   * IPv4 addresses of the server's configured DNS servers. The list contains only DNS servers that containers can
   * reach.
   */
  nameServers: readonly string[];
  /** Linux bridge names of Docker networks that do not belong to this Davit instance. */
  otherBridges: readonly string[];
}

/**
 * Returns the nft commands that replace all firewall rules of the Davit instance in one transaction.
 * @param access ports from 1 to 65535 and canonical IP addresses
 */
export function firewallRules(davitId: string, access: HostAccess, facts: FirewallFacts): string {
  const table = firewallTable(davitId);
  const ours = `"${bridgePrefix(davitId)}*"`;
  const fromContainer = [
    NEIGHBOUR_DISCOVERY,
    /*
     * Davit's DNS resolver may send queries to all DNS servers, including link-local DNS servers and DNS servers on
     * this server.
     */
    `ip saddr & 0.0.0.255 == 0.0.0.${NAMES_HOST} ${DNS} accept`,
    // DNS is allowed before metadata services are blocked, because Azure uses the same address for DNS and metadata.
    ...toAny('ip daddr', facts.nameServers, `${DNS} accept`),
    ...toAny('ip daddr', METADATA.ipv4, `goto ${table}_refuse`),
    ...toAny('ip6 daddr', METADATA.ipv6, `goto ${table}_refuse`),
    ...toAny('fib daddr oifname', facts.otherBridges.filter(isInterface).map(quoted), `goto ${table}_refuse`),
    'fib daddr type != local accept',
    ...toAny('tcp dport', access.tcpPorts.map(String), 'accept'),
    ...[...new Set(access.exceptions.map(ruleOf))].toSorted(),
    `goto ${table}_refuse`,
  ];
  return `${removalOf(davitId)}table inet ${table} {
  chain ${table}_refuse {
    meta l4proto tcp reject with tcp reset
    reject
  }
  # Before addresses are translated: a published port is still the port of the server that was asked for.
  chain ${table}_unicast {
    type filter hook prerouting priority mangle + 10; policy accept;
    ct state established,related accept
    # To a network of the instance, from a bridge that is not its own. The engine's rules against that are absent for
    # moments: it takes them out and puts them in again whenever a network is created.
    meta iifkind "bridge" fib daddr oifname ${ours} fib daddr . iif oif missing goto ${table}_refuse
    iifname ${ours} jump ${table}_from_container
  }
  chain ${table}_from_container {
${fromContainer.map((rule) => `    ${rule}\n`).join('')}  }
  # Services of the server receive these as well. Containers of one network still receive them from each other.
  chain ${table}_multicast {
    type filter hook input priority mangle + 10; policy accept;
    iifname ${ours} fib daddr type { broadcast, multicast } jump ${table}_to_all
  }
  chain ${table}_to_all {
    ${NEIGHBOUR_DISCOVERY}
    drop
  }
}
`;
}

/**
 * nft rule that accepts IPv6 neighbor discovery. Router advertisements are not accepted, because a container must not
 * act as a router.
 */
const NEIGHBOUR_DISCOVERY = 'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept';

const DNS = 'meta l4proto { tcp, udp } th dport 53';

/**
 * Returns an nft rule that matches any of the given values. For an empty list, returns no rule, because nft does not
 * allow empty sets.
 */
function toAny(field: string, values: readonly string[], verdict: string): string[] {
  return values.length === 0 ? [] : [`${field} { ${[...new Set(values)].toSorted().join(', ')} } ${verdict}`];
}

/**
 * Returns whether an interface name can be used in an nft rule. Linux allows additional characters, but Docker's bridge
 * names never contain such characters.
 */
function isInterface(name: string): boolean {
  return /^[\w.-]{1,15}$/.test(name);
}

function quoted(name: string): string {
  return `"${name}"`;
}

function ruleOf({ address, port, protocol }: HostException): string {
  return `${isIPv6(address) ? 'ip6' : 'ip'} daddr ${address} ${protocol} dport ${port} accept`;
}
