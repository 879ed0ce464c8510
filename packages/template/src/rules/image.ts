import { canonicalReference, canonicalRepository, DOCKER_HUB } from '@davit/api/image-reference.ts';

/** What an image's name says beside its path. */
export interface ImageName {
  /** `sha256:…`: exactly that image, whatever a tag says. */
  digest?: string;
  /** The registry answers at a port of its own. */
  registryPort?: number;
}

/**
 * Reads the name of an image without a tag: `nginx`, `ghcr.io/a/b`, `registry.example:5000/a`, each also with
 * `@sha256:…`. Null: a registry could not be asked for it.
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

/** The registry that an image comes from, in its one spelling; null: Docker Hub, which needs no name. */
export function registryOf(image: string): string | null {
  const host = canonicalReference(image)?.host ?? DOCKER_HUB;
  return host === DOCKER_HUB ? null : host;
}
