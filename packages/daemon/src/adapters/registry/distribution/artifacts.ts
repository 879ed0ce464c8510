/**
 * Distinguishes container images from other content in the registry, such as signatures, attestations, Helm charts and
 * build caches.
 */
import type { RegistryClient } from './client.ts';
import { evidenceIn } from './manifests.ts';

/**
 * Maximum number of manifests that Davit reads to find an image in an image index. In practice, one manifest is enough.
 */
const MOST_MANIFESTS = 64;

/**
 * Returns whether a manifest is not a container image. An image index counts as an image if one of its entries is an
 * image. Returns `false` if the repository does not have the manifest.
 * @throws RegistryUnavailable
 */
export async function isStoredArtifact(client: RegistryClient, repository: string, digest: string): Promise<boolean> {
  // Avoids reading a manifest twice. Image indexes can be nested and can contain the same manifest several times.
  const seen = new Set([digest]);
  for (const next of seen) {
    const stored = await client.stored('GET', repository, next);
    if (stored === null && next === digest) return false;
    const { isImage, open } = evidenceIn(stored?.body.toString() ?? '');
    if (isImage) return false;
    for (const child of open) if (seen.size < MOST_MANIFESTS) seen.add(child);
  }
  return true;
}
