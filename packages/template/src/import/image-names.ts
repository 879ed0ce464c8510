import { canonicalReference } from '@davit/api/image-reference.ts';

/** Parts of an image reference in a Compose file. */
export interface ImageName {
  /** Image name without the tag. It includes the digest if there is one. */
  image: string;
  tag: string | null;
  /** Tag as written in the image reference, even if a digest follows it. */
  writtenTag: string | null;
  /** Last part of the image path, such as `postgres`. */
  base: string;
  /** Image path without the registry, such as `bitnami/redis`. */
  path: string;
}

/** Splits an image reference. Returns `null` if it is invalid. */
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
  // Omit the tag if the image reference has a digest, because the tag then has no effect.
  if (digest !== undefined) return { image: `${name}@${digest}`, tag: null, writtenTag: tag, base, path };
  return { image: name, tag, writtenTag: tag, base, path };
}

/**
 * Returns whether an image name contains a digest or the port of a registry. Davit supports such names, but Cubeship,
 * an older platform with the same template format, does not.
 */
export function isAddedImage(image: string): boolean {
  return image.includes(':');
}
