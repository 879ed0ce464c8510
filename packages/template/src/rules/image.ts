import { canonicalReference, canonicalRepository, DOCKER_HUB } from '@davit/api/image-reference.ts';

/** Parts of the name of an image besides its path. */
export interface ImageName {
  /** Digest `sha256:…`, which identifies the image whatever its tag is. */
  digest?: string;
  /** Port of the registry, if the name contains one. */
  registryPort?: number;
}

/**
 * Parses the name of an image without a tag: `nginx`, `ghcr.io/a/b`, `registry.example:5000/a`, each optionally with
 * `@sha256:…`. Returns `null` if the name is invalid.
 */
export function parseImageName(image: string): ImageName | null {
  const at = image.indexOf('@');
  const name = at < 0 ? image : image.slice(0, at);
  const reference = canonicalReference(image);
  if (reference === null || canonicalRepository(name) === null) return null;
  const port = /^[^/]*:(\d+)\//.exec(name)?.[1];
  return {
    ...(reference.digest !== null && { digest: reference.digest }),
    ...(port !== undefined && { registryPort: Number(port) }),
  };
}

/** Returns the normalized registry of an image, or `null` for Docker Hub, which needs no name. */
export function registryOf(image: string): string | null {
  const host = canonicalReference(image)?.host ?? DOCKER_HUB;
  return host === DOCKER_HUB ? null : host;
}
