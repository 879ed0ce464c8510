import { canonicalReference } from '@davit/api/image-reference.ts';

/** An image of a Compose file, taken apart. */
export interface ImageName {
  /** Without tag; with the digest, where there is one. */
  image: string;
  tag: string | null;
  /** The tag as it is written, also where a digest stands behind it. */
  writtenTag: string | null;
  /** Its last part without what stands before it: `postgres`, `pgvector`. */
  base: string;
  /** The path without a registry: `bitnami/redis`. */
  path: string;
}

/** Takes an image apart; null: no registry has such a name. */
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
  // What has a digest is that image, whatever its tag says.
  if (digest !== undefined) return { image: `${name}@${digest}`, tag: null, writtenTag: tag, base, path };
  return { image: name, tag, writtenTag: tag, base, path };
}

/** Whether an image is named in a way that the older format does not have: with a digest or a registry's port. */
export function isAddedImage(image: string): boolean {
  return image.includes(':');
}
