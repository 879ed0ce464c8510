import type { AppSpec } from '@davit/api';
import type { InstanceFacts } from './base.ts';
import { ownRegistryHost } from './registry.ts';

/** The repository that an app's releases are in: its own one in the instance's registry, where it is pushed to. */
export function imageOf(spec: AppSpec, app: { reference: string }, facts: Pick<InstanceFacts, 'ports'>): string {
  return spec.image ?? `${ownRegistryHost(facts)}/${app.reference}`;
}
