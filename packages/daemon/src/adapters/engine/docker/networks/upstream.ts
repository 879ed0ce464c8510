import { readFile } from 'node:fs/promises';

/**
 * Files that list the server's DNS servers. The second file is read if the first file lists only the local DNS
 * forwarder of systemd-resolved.
 */
const FILES = ['/etc/resolv.conf', '/run/systemd/resolve/resolv.conf'];

/**
 * Maximum number of DNS servers that a container gets in addition to Davit's DNS resolver. Linux uses at most three DNS
 * servers.
 */
const MOST = 2;

/**
 * Returns the server's DNS servers that containers can reach. Containers use these servers for public names while
 * Davit's DNS resolver is stopped.
 */
export async function upstreamServers(): Promise<string[]> {
  for (const file of FILES) {
    const servers = parseNameServers(await readFile(file, 'utf8').catch(() => ''));
    if (servers.length > 0) return servers;
  }
  return [];
}

/**
 * Returns the IPv4 DNS servers in a `resolv.conf` file. The result omits loopback and link-local addresses, because
 * containers cannot reach them.
 */
export function parseNameServers(text: string): string[] {
  const found = [...text.matchAll(/^\s*nameserver\s+(\d{1,3}(?:\.\d{1,3}){3})\s*$/gm)].map((match) => match[1] ?? '');
  return found.filter((server) => !/^(127|0|169\.254)\./.test(server)).slice(0, MOST);
}
