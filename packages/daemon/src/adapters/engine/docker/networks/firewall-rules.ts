/**
 * The firewall of an instance as one nftables ruleset: what its containers may reach on the server, that its networks
 * are closed to other bridges, and that containers reach no metadata service. It applies only to packets from the
 * instance's bridges, or from another bridge to one of them.
 *
 * The table is the instance's own. Restarts of the engine and reloads of other firewalls rewrite their own chains and do
 * not touch it, and a packet that it refuses is refused whatever another table accepts. What it lets through is still
 * subject to every other rule of the server.
 */
import { isIPv6 } from 'node:net';
import { METADATA } from '@davit/service';
import type { HostAccess, HostException } from '../../host-access.ts';
import { bridgePrefix } from '../../names.ts';
import { NAMES_HOST } from '../../subnets.ts';

/** The name of the instance's table, and the start of the names of its chains. */
export function firewallTable(davitId: string): string {
  return `davit_${davitId}`;
}

/** The commands that remove an instance's rules, whether or not they are there. */
export function removalOf(davitId: string): string {
  const table = `table inet ${firewallTable(davitId)}`;
  return `add ${table}\ndelete ${table}\n`;
}

/** What the rules depend on besides the settings of the instance. */
export interface FirewallFacts {
  /** IPv4 addresses of the name servers that containers ask. */
  nameServers: readonly string[];
  /** Names of the bridges of the engine's other networks. */
  otherBridges: readonly string[];
}

/**
 * Returns the commands that replace the instance's rules with these, in one transaction.
 * @param access ports 1 to 65535, canonical addresses
 */
export function firewallRules(davitId: string, access: HostAccess, surroundings: FirewallFacts): string {
  const table = firewallTable(davitId);
  const ours = `"${bridgePrefix(davitId)}*"`;
  const fromContainer = [
    NEIGHBOUR_DISCOVERY,
    // The engine forwards what the resolver of internal names asks to the name servers in its own configuration, which
    // may be at a link-local address or at any address of the server. No other container can send from that address.
    `ip saddr & 0.0.0.255 == 0.0.0.${NAMES_HOST} ${DNS} accept`,
    // Before the ranges of metadata services: Azure's is the name server as well.
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

/** What IPv6 needs to find neighbours. Routers are not to be announced by a container. */
const NEIGHBOUR_DISCOVERY = 'icmpv6 type { nd-router-solicit, nd-neighbor-solicit, nd-neighbor-advert } accept';

const DNS = 'meta l4proto { tcp, udp } th dport 53';

/** One rule for all values of a field, or none for no value: nft has no empty sets. */
function toAny(field: string, values: readonly string[], verdict: string): string[] {
  return values.length === 0 ? [] : [`${field} { ${[...new Set(values)].toSorted().join(', ')} } ${verdict}`];
}

/** Whether a name can be written into a rule. The kernel allows more characters, which no bridge of an engine has. */
function isInterface(name: string): boolean {
  return /^[\w.-]{1,15}$/.test(name);
}

function quoted(name: string): string {
  return `"${name}"`;
}

function ruleOf({ address, port, protocol }: HostException): string {
  return `${isIPv6(address) ? 'ip6' : 'ip'} daddr ${address} ${protocol} dport ${port} accept`;
}
