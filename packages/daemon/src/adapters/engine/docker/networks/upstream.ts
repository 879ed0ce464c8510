import { readFile } from 'node:fs/promises';

/** Where a machine's own resolvers stand; the second is for one whose first names only its local forwarder. */
const FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

/** As many as a container's own list has room for, behind the resolver of internal names. */
const MOST = 2;

/**
 * The resolvers that this machine asks, as containers can reach them. Instances ask them when the resolver of internal
 * names is away, so that the world's names go on resolving.
 */
export async function upstreamServers(): Promise<string[]> {
  for (const file of FILES) {
    const servers = parseNameServers(await readFile(file, 'utf8').catch(() => ''));
    if (servers.length > 0) return servers;
  }
  return [];
}

/** IPv4 servers of a resolv.conf, without those on loopback addresses or that containers cannot reach. */
export function parseNameServers(text: string): string[] {
  const found = [...text.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map((match) => match[1] ?? '');
  return found.filter((server) => !/^(127|0|169\.254)\./.test(server)).slice(0, MOST);
}
