import { isHeldName, isReservedImage } from '@davit/api';
import { quote } from '@davit/service';
import { imageReference, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * Returns why an app may not use an image name, as a sentence, or `null` if it may. An app cannot name an image that
 * was pushed to the instance for another app. Such an image must be promoted, because a promotion checks whether the
 * user can see the other app.
 */
export function whyForeign(facts: OwnRegistryFacts, app: { reference: string }, image: string): string | null {
  const reference = imageReference(facts, image);
  if (reference === null || isHeldName(reference)) return whyNoImage(image);
  if (isReservedImage(image)) {
    return `Cannot deploy ${image}: names that begin with “davit/” are reserved for images that Davit builds. Set another image for the app.`;
  }
  if (reference.host !== ownRegistryHost(facts) || reference.repository === app.reference) return null;
  return `Cannot deploy ${image}: it belongs to another app of this instance. Promote the release of that app (“from”), or push the image to this app.`;
}

/**
 * Returns the message for an invalid name in settings of an earlier version. The name is not an image name, or Davit
 * uses the name for images of releases.
 */
export function whyNoImage(image: string): string {
  return `Cannot deploy “${quote(image)}”: it is not a valid image name. Set another image for the app.`;
}
