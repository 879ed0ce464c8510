import { canonicalReference, DOCKER_HUB } from './image-reference.ts';

/** Prefix of the names of platform images on the server. Davit builds the platform images itself. */
const RESERVED = 'davit/';

/**
 * Returns whether an image name is reserved for platform images. A pull would overwrite a platform image that several
 * instances share.
 */
export function isReservedImage(text: string): boolean {
  const reference = canonicalReference(text);
  return reference?.host === DOCKER_HUB && reference.repository.startsWith(RESERVED);
}
