import { isDigest, isHeldName, isReservedImage } from '@davit/api';
import { quote } from '@davit/service';
import { imageReference, isOwnImage, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * Returns an error message if an app may not use an image. Users must promote the image of another app, because a
 * promotion checks the access to that app.
 */
export function whyForeign(facts: OwnRegistryFacts, app: { reference: string }, image: string): string | null {
  const reference = imageReference(facts, image);
  if (reference === null || isHeldName(reference)) return whyNoImage(image);
  if (isReservedImage(image)) {
    return `Cannot deploy ${image}: names that begin with “davit/” are reserved for images that Davit builds. Set another image for the app.`;
  }
  if (reference.host !== ownRegistryHost(facts) || reference.repository === app.reference) return null;
  return `Cannot deploy ${image}: it belongs to another app of this instance. Promote the release of that app to this app, or push the image to this app.`;
}

/**
 * Returns an error message if the tag of an image in the instance's registry is a digest. A digest would bypass the
 * push check, because Davit records allowed pushes by tag.
 */
export function whyNoDigest(facts: OwnRegistryFacts, image: string, tag: string): string | null {
  if (!isDigest(tag) || !isOwnImage(facts, image)) return null;
  return `Cannot deploy a digest of ${image}: Davit deploys the images of its own registry only by tag. Deploy a tag.`;
}

/**
 * Returns the error message for an invalid image name. An earlier Davit version may have stored this name, or Davit may
 * have reserved it since then.
 */
export function whyNoImage(image: string): string {
  return `Cannot deploy “${quote(image)}”: it is not a valid image name. Set another image for the app.`;
}
