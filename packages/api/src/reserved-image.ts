import { canonicalReference, DOCKER_HUB } from './image-reference.ts';

/** Prefix of the image names that Davit uses for platform images on the server. */
const RESERVED = 'davit/';

/**
 * Returns whether an image name is reserved for platform images (`docker.io/davit/…`), in any spelling. Pulling such an
 * image would replace a platform image that several instances share.
 */
export function isReservedImage(text: string): boolean {
  const reference = canonicalReference(text);
  return reference?.host === DOCKER_HUB && reference.repository.startsWith(RESERVED);
}
