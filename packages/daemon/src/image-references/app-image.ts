import { type AppSpec, canonicalRepository, familiarRepository } from '@davit/api';
import { isOwnRegistryHost, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * Returns the image repository of an app in its normalized form. An app without a configured image uses its own
 * repository in the instance's registry. An invalid image name that an earlier Davit version stored is returned
 * unchanged.
 */
export function imageOf(spec: AppSpec, app: { reference: string }, facts: OwnRegistryFacts): string {
  if (spec.image === null) return `${ownRegistryHost(facts)}/${app.reference}`;
  const named = canonicalRepository(spec.image);
  if (named === null) return spec.image;
  return familiarRepository(isOwnRegistryHost(facts, named.host) ? { ...named, host: ownRegistryHost(facts) } : named);
}
