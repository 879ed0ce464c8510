import { type AppSpec, canonicalRepository, familiarRepository } from '@davit/api';
import { isOwnRegistryHost, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * Returns the image repository from which an app is deployed, in canonical spelling. Without a configured image, it is
 * the app's own repository in the instance's registry. An invalid image name, stored by an earlier Davit version, is
 * returned unchanged.
 */
export function imageOf(spec: AppSpec, app: { reference: string }, facts: OwnRegistryFacts): string {
  if (spec.image === null) return `${ownRegistryHost(facts)}/${app.reference}`;
  const named = canonicalRepository(spec.image);
  if (named === null) return spec.image;
  return familiarRepository(isOwnRegistryHost(facts, named.host) ? { ...named, host: ownRegistryHost(facts) } : named);
}
