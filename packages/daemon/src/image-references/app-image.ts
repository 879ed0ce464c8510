import { type AppSpec, canonicalRepository, familiarRepository } from '@davit/api';
import { isOwnRegistryHost, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/**
 * The repository that an app's releases are in, in its one spelling: of an app that is pushed to, its own one in the
 * instance's registry. Settings of an earlier version may name no image, and are returned as they are.
 */
export function imageOf(spec: AppSpec, app: { reference: string }, facts: OwnRegistryFacts): string {
  if (spec.image === null) return `${ownRegistryHost(facts)}/${app.reference}`;
  const named = canonicalRepository(spec.image);
  if (named === null) return spec.image;
  return familiarRepository(isOwnRegistryHost(facts, named.host) ? { ...named, host: ownRegistryHost(facts) } : named);
}
