import { canonicalRegistryHost } from '@davit/api';

/**
 * Returns the canonical form of a registry's host. Removes a scheme and a path only if they have no meaning, as in
 * `https://ghcr.io/`.
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
