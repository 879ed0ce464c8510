import { canonicalReference, DOCKER_HUB } from './image-reference.ts';

/** Prefix for the names of platform images on the server. Davit builds the platform images itself. */
const RESERVED = 'davit/';

/**
 * Returns whether an image name is reserved for platform images. Pulling such an image would overwrite a platform
 * image, which several instances may share.
 */
export function isReservedImage(text: string): boolean {
  const reference = canonicalReference(text);
  return reference?.host === DOCKER_HUB && reference.repository.startsWith(RESERVED);
}
