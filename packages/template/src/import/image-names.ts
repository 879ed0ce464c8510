import { canonicalReference } from '@davit/api/image-reference.ts';

/** Parts of an image reference in a Compose file. */
export interface ImageName {
  /** Image name without the tag, but with the digest if there is a digest. */
  image: string;
  tag: string | null;
  /** Tag from the image reference, even if a digest follows the tag. */
  writtenTag: string | null;
  /** Last part of the image path, such as `postgres`. */
  base: string;
  /** Image path without the registry, such as `bitnami/redis`. */
  path: string;
}

/** Splits an image reference into its parts. Returns `null` if the image reference is invalid. */
export function imageNameOf(text: string): ImageName | null {
  const trimmed = text.trim();
  const reference = canonicalReference(trimmed);
  if (reference === null) return null;
  const [named = '', digest] = trimmed.split('@');
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const name = colon < 0 ? named : named.slice(0, colon);
  const tag = colon < 0 ? null : named.slice(colon + 1);
  const base = name.split('/').at(-1) ?? name;
  const path = reference.repository.replace(/^library\//, '');
  // If an image reference has a digest, the tag has no effect and is omitted.
  if (digest !== undefined) return { image: `${name}@${digest}`, tag: null, writtenTag: tag, base, path };
  return { image: name, tag, writtenTag: tag, base, path };
}

/**
 * Returns whether an image name contains a digest or the port of a registry. Davit supports such names. The older
 * platform Cubeship has the same template format, but does not support such names.
 */
export function isAddedImage(image: string): boolean {
  return image.includes(':');
}
