import { canonicalRegistryHost } from '@davit/api';

/**
 * The canonical form of a registry's host as a person may write it. Removes a scheme and a path only if they have no
 * meaning, as in `https://ghcr.io/`.
 * @returns null for what is no host with or without a port
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
