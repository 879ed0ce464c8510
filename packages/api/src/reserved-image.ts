import { canonicalReference, DOCKER_HUB } from './image-reference.ts';

/** Prefix of the names of images that Davit creates on the server. */
const RESERVED = 'davit/';

/**
 * Returns whether an image, in any spelling, has a name that is reserved for platform images (`docker.io/davit/…`). A
 * pull of such a name would replace an image that instances share.
 */
export function isReservedImage(text: string): boolean {
  const reference = canonicalReference(text);
  return reference?.host === DOCKER_HUB && reference.repository.startsWith(RESERVED);
}
