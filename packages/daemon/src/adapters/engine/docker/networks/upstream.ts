import { readFile } from 'node:fs/promises';

/**
 * Files with the name servers of the server. The second file is used if the first one lists only the local forwarder.
 */
const FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

/**
 * Maximum number of name servers, because the list of a container has only this many entries after the internal
 * resolver.
 */
const MOST = 2;

/**
 * Returns the name servers of the server that containers can reach. While the resolver of internal names is stopped,
 * containers use these servers, so that public names still resolve.
 */
export async function upstreamServers(): Promise<string[]> {
  for (const file of FILES) {
    const servers = parseNameServers(await readFile(file, 'utf8').catch(() => ''));
    if (servers.length > 0) return servers;
  }
  return [];
}

/** Returns the IPv4 servers of a resolv.conf, without loopback addresses and addresses that containers cannot reach. */
export function parseNameServers(text: string): string[] {
  const found = [...text.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map((match) => match[1] ?? '');
  return found.filter((server) => !/^(127|0|169\.254)\./.test(server)).slice(0, MOST);
}
