import { tagPrefix } from '../engine/names.ts';
import type { InstanceFacts } from './base.ts';
import { DOCKER_HUB, isOwnImage, registryHostOf } from './registry.ts';

/**
 * Why an app may not name an image as its own, in a sentence; null: it may. What was pushed for another app, and what is
 * held for the releases of any, is in the engine under names that everybody could guess: it is had by promotion, which
 * asks whether one sees that app.
 */
export function whyForeign(
  facts: Pick<InstanceFacts, 'id' | 'ports'>,
  app: { reference: string },
  image: string,
): string | null {
  const path = image.slice(image.indexOf('/') + 1);
  const isPushed = isOwnImage(facts, image) && path !== app.reference;
  const bare = image.replace(/^[^/]+\.[^/]+\//, '');
  const isHeld = registryHostOf(image) === DOCKER_HUB && bare.startsWith(tagPrefix(facts.id));
  if (!isPushed && !isHeld) return null;
  return `${image} belongs to another app of this instance: deploy from that app instead («from»), or push to this one.`;
}
