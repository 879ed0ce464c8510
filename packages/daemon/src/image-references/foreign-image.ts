import { isHeldName, isReservedImage } from '@davit/api';
import { quote } from '@davit/service';
import { imageReference, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * Why an app may not name an image as its own, in a sentence; null: it may. To use an image that was pushed to the
 * instance for another app, promote it: promotion checks whether the user can see that app.
 */
export function whyForeign(facts: OwnRegistryFacts, app: { reference: string }, image: string): string | null {
  const reference = imageReference(facts, image);
  if (reference === null || isHeldName(reference)) return whyNoImage(image);
  if (isReservedImage(image)) {
    return `Cannot deploy ${image}: names that begin with "davit/" are reserved for images that Davit makes. Set the image of the app to another name.`;
  }
  if (reference.host !== ownRegistryHost(facts) || reference.repository === app.reference) return null;
  return `${image} belongs to another app of this instance: deploy from that app instead («from»), or push to this one.`;
}

/**
 * For settings of an earlier version: a name that is not an image name, or a name that Davit gives to images of
 * releases.
 */
export function whyNoImage(image: string): string {
  return `The image name \`${quote(image)}\` cannot be deployed: set the image of the app to another name.`;
}
