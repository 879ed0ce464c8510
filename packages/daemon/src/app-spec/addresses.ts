import type { Network } from '../adapters/engine/network.ts';

/**
 * Picks addresses for new instances on an environment's network, going round: one that was just freed is taken again as
 * late as possible.
 * @param last the address given most recently, where the search starts; null at the first
 * @returns null when there are not enough
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
