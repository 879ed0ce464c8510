import type { Network } from '../adapters/engine/network.ts';

/**
 * Selects free IP addresses for new containers in an environment's Docker network. The search starts after the last
 * assigned address, and continues at the start of the network. So a freed address is reused as late as possible.
 * @param last IP address that was assigned last, or `null` if none was assigned
 * @returns `null` if the network has too few free addresses
 */
export function pickAddresses(
  network: Pick<Network, 'firstAddress' | 'lastAddress'>,
  taken: readonly string[],
  last: string | null,
  count: number,
): string[] | null {
  const { prefix, host: first } = split(network.firstAddress);
  const span = split(network.lastAddress).host - first + 1;
  const start = last?.startsWith(prefix) ? split(last).host - first + 1 : 0;
  const used = new Set(taken);
  const picked: string[] = [];
  for (let i = 0; i < span && picked.length < count; i++) {
    const address = `${prefix}${first + ((start + i) % span)}`;
    if (!used.has(address)) picked.push(address);
  }
  return picked.length === count ? picked : null;
}

function split(address: string): { prefix: string; host: number } {
  const dot = address.lastIndexOf('.') + 1;
  return { prefix: address.slice(0, dot), host: Number(address.slice(dot)) };
}
