import { canonicalReference, canonicalRepository, DOCKER_HUB } from '@davit/api/image-reference.ts';

/** Digest and registry port of an image name. */
export interface ImageName {
  /** Digest of the image, such as `sha256:…`. If an image name has a digest, its tag has no effect. */
  digest?: string;
  /** Port of the registry. Absent if the image name contains no port. */
  registryPort?: number;
}

/**
 * Parses an image name without a tag, such as `nginx`, `ghcr.io/a/b` or `registry.example:5000/a`. The name may end
 * with `@sha256:…`. Returns `null` if the name is invalid.
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

/** Returns the normalized host name of an image's registry. Returns `null` for Docker Hub. */
export function registryOf(image: string): string | null {
  const host = canonicalReference(image)?.host ?? DOCKER_HUB;
  return host === DOCKER_HUB ? null : host;
}

/**
 * Splits an image name without a tag into its repository and its digest. The digest is `null` if the name contains no
 * digest.
 */
export function splitDigest(image: string): { repository: string; digest: string | null } {
  const at = image.indexOf('@');
  return at < 0 ? { repository: image, digest: null } : { repository: image.slice(0, at), digest: image.slice(at + 1) };
}
