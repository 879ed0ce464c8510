/**
 * Distinguishes pushed container images from signatures and other artifacts. Davit stores artifacts but does not deploy
 * them.
 */
import type { ImageRegistry } from '../../adapters/registry/registry.ts';

/** Tag that a tool for signatures or SBOMs derives from the digest of an image, for example `sha256-<hex>.sig`. */
const REFERRER_TAG = /^sha(?:256|384|512)-[0-9a-f]{64,128}(?:[._-].*)?$/;

/**
 * Returns whether a pushed tag is an artifact and not a container image.
 * @throws RegistryUnavailable
 */
export async function isPushedArtifact(
  registry: Pick<ImageRegistry, 'isArtifact'>,
  repository: string,
  { tag, digest }: { tag: string; digest: string },
): Promise<boolean> {
  return REFERRER_TAG.test(tag) || (await registry.isArtifact(repository, digest));
}
