import { canonicalReference } from '@davit/api/image-reference.ts';

/** An image of a Compose file, split into its parts. */
export interface ImageName {
  /** Name without tag, and with the digest if there is one. */
  image: string;
  tag: string | null;
  /** Tag as written, even if a digest follows the tag. */
  writtenTag: string | null;
  /** Last part of the path: `postgres`, `pgvector`. */
  base: string;
  /** Path without the registry: `bitnami/redis`. */
  path: string;
}

/** Splits an image name. Returns `null` if the name is invalid. */
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
  // The digest identifies the image, so the tag has no effect.
  if (digest !== undefined) return { image: `${name}@${digest}`, tag: null, writtenTag: tag, base, path };
  return { image: name, tag, writtenTag: tag, base, path };
}

/**
 * Returns whether the name of an image contains a digest or the port of a registry, which the older format does not
 * allow.
 */
export function isAddedImage(image: string): boolean {
  return image.includes(':');
}
