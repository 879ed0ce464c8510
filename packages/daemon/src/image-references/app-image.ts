import { type AppSpec, canonicalRepository, familiarRepository } from '@davit/api';
import { isOwnRegistryHost, type OwnRegistryFacts, ownRegistryHost } from './own-registry.ts';

/** Returns the normalized image repository of an app. Default: the repository of the app in the instance's registry. */
export function imageOf(spec: AppSpec, app: { reference: string }, facts: OwnRegistryFacts): string {
  if (spec.image === null) return `${ownRegistryHost(facts)}/${app.reference}`;
  const named = canonicalRepository(spec.image);
  // An earlier Davit version may have stored an invalid image name.
  if (named === null) return spec.image;
  return familiarRepository(isOwnRegistryHost(facts, named.host) ? { ...named, host: ownRegistryHost(facts) } : named);
}
