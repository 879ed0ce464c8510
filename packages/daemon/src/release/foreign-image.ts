import type { InstanceFacts } from './base.ts';
import { isOwnImage } from './registry.ts';

/**
 * Why an app may not name an image as its own, in a sentence; null: it may. The engine pulls from the instance's own
 * registry with rights to all of it: what was pushed for another app is had by promotion, which asks whether one sees it.
 */
export function whyForeign(
  facts: Pick<InstanceFacts, 'ports'>,
  app: { reference: string },
  image: string,
): string | null {
  const path = image.slice(image.indexOf('/') + 1);
  if (!isOwnImage(facts, image) || path === app.reference) return null;
  return `${image} belongs to another app of this instance: deploy from that app instead («from»), or push to this one.`;
}
