import { parseImageName } from '../rules/image.ts';

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

const TAG = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;

/** Takes an image apart; null: no registry has such a name. */
export function imageNameOf(text: string): ImageName | null {
  const trimmed = text.trim();
  const at = trimmed.indexOf('@');
  const named = at < 0 ? trimmed : trimmed.slice(0, at);
  const digest = at < 0 ? '' : trimmed.slice(at);
  const colon = named.lastIndexOf(':');
  const isTagged = colon > named.lastIndexOf('/');
  const name = isTagged ? named.slice(0, colon) : named;
  const tag = isTagged ? named.slice(colon + 1) : null;
  if (parseImageName(`${name}${digest}`) === null || (tag !== null && !TAG.test(tag))) return null;
  const parts = name.split('/');
  const hasRegistry = parts.length > 1 && /[.:]|^localhost$/.test(parts[0] ?? '');
  const path = (hasRegistry ? parts.slice(1) : parts).join('/').replace(/^library\//, '');
  // What has a digest is that image, whatever its tag says.
  const kept = digest === '' ? tag : null;
  return { image: `${name}${digest}`, tag: kept, writtenTag: tag, base: parts.at(-1) ?? name, path };
}

/** Whether an image is named in a way that the older format does not have: with a digest or a registry's port. */
export function isAddedImage(image: string): boolean {
  return image.includes(':');
}
