import { canonicalRegistryHost } from '@davit/api';

/**
 * Returns the normalized host of a container registry, for example `ghcr.io` for `https://ghcr.io/`.
 * @returns `null` for text that is not a host with an optional port
 */
export function normalizeRegistryHost(input: string): string | null {
  const bare = input
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/+$/, '')
    .replace(/^(index\.docker\.io)\/v1$/, '$1');
  return canonicalRegistryHost(bare);
}
