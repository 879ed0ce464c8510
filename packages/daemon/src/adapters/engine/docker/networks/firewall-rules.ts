/**
 * Firewall of an instance as one nftables ruleset. The rules limit what containers can reach on the server, close the
 * networks of the instance to other bridges, and block metadata services. The rules apply only to packets from bridges
 * of the instance and to packets from other bridges to bridges of the instance.
 *
 * The table belongs to the instance. Restarts of the engine and reloads of other firewalls rewrite their own chains and
 * do not change this table. A packet that this table refuses stays refused, even if another table accepts the packet.
 * All other rules of the server still apply to packets that this table accepts.
 */
import { isIPv6 } from 'node:net';
import { METADATA } from '@davit/service';
import type { HostAccess, HostException } from '../../host-access.ts';
import { bridgePrefix } from '../../names.ts';
import { NAMES_HOST } from '../../subnets.ts';

/** Returns the name of the instance's table, which is also the prefix of its chain names. */
export function firewallTable(davitId: string): string {
  return `davit_${davitId}`;
}

/** Returns the commands that remove the rules of an instance. The commands succeed even if there are no rules. */
export function removalOf(davitId: string): string {
  const table = `table inet ${firewallTable(davitId)}`;
  return `add ${table}\ndelete ${table}\n`;
}

/** Facts about the server on which the rules depend, in addition to the settings of the instance. */
export interface FirewallFacts {
  /** IPv4 addresses of the name servers that containers use. */
  nameServers: readonly string[];
  /** Names of the bridges of the engine's other networks. */
  otherBridges: readonly string[];
}

/**
 * Returns the commands that replace the rules of the instance in one transaction.
 * @param access ports from 1 to 65535 and canonical addresses
 */
export function firewallRules(davitId: string, access: HostAccess, surroundings: FirewallFacts): string {
  const table = firewallTable(davitId);
  const ours = `"${bridgePrefix(davitId)}*"`;
  const fromContainer = [
    NEIGHBOUR_DISCOVERY,
    // The engine forwards queries of the internal resolver to the name servers of its own configuration. These servers
    // can have a link-local address or any address of the server. No other container can send from the resolver's
    // address.
    `ip saddr & 0.0.0.255 == 0.0.0.${NAMES_HOST} ${DNS} accept`,
    // This rule comes before the rules for metadata services, because the metadata address of Azure is also its name
    // server.
    ...toAny('ip daddr', surroundings.nameServers, `${DNS} accept`),
    ...toAny('ip daddr', METADATA.ipv4, `goto ${table}_refuse`),
    ...toAny('ip6 daddr', METADATA.ipv6, `goto ${table}_refuse`),
    ...toAny('fib daddr oifname', surroundings.otherBridges.filter(isInterface).map(quoted), `goto ${table}_refuse`),
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
 * Rule for packets that IPv6 needs to find neighbours. Router advertisements are not included, because a container must
 * not announce a router.
 */
const NEIGHBOUR_DISCOVERY = 'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept';

const DNS = 'meta l4proto { tcp, udp } th dport 53';

/** Returns one rule for all values of a field, or no rule without values, because nft has no empty sets. */
function toAny(field: string, values: readonly string[], verdict: string): string[] {
  return values.length === 0 ? [] : [`${field} { ${[...new Set(values)].toSorted().join(', ')} } ${verdict}`];
}

/**
 * Returns whether a rule can contain an interface name. The kernel allows more characters, but no bridge of an engine
 * has them.
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
