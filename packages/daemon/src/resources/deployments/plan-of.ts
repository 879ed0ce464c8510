import type { DeployPlan } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { readRevisionSpec, releaseSpecOf, storedRevision } from '../../app-spec/revision.ts';
import { SealBroken } from '../../db/seal.ts';
import { liveOf } from '../../db/tables/release.ts';
import { nameInOwnRepository } from '../../image-references/own-registry.ts';
import type { Release } from './decide.ts';
import type { DeploymentsDeps } from './deps.ts';
import { observedFor } from './observed.ts';
import { changes, plan, rollbackChanges } from './plan.ts';
import { variableChanges } from './variable-changes.ts';

/**
 * Returns the steps of a deployment and the changes from the live release.
 * @param present `true` if Docker already has the image of the deployment
 */
export function planOf(base: DeploymentsDeps, app: AppTarget, release: Release, present: boolean): DeployPlan {
  const spec = releaseSpecOf(base, app.id, release.revision);
  const image = nameInOwnRepository(base.facts, app.reference, release.image, null);
  const input = observedFor(base, app.id, null, { image, spec, present });
  const live = liveOf(base.store, app.id);
  const before = live === undefined ? null : { tag: live.tag, spec: readRevisionSpec(base, app.id, live.revision) };
  const { tag, revision, rollbackOf } = release;
  const described =
    rollbackOf === null
      ? changes(input, before)
      : rollbackChanges(input, before, { deployment: rollbackOf, tag, revision });
  return {
    steps: plan(input).map(({ name, describe }) => ({ name, describe })),
    changes: [...described, ...(live ? variablesOf(base, app, live.revision, release) : [])],
    rollback_of: rollbackOf,
  };
}

/**
 * Describes the changed variables for a deployment plan. If the variables cannot be decrypted, returns an error
 * message, so that users still see the other parts of the plan.
 */
function variablesOf(base: DeploymentsDeps, { id }: AppTarget, before: number, { revision }: Release): string[] {
  if (before === revision) return [];
  try {
    return variableChanges(storedRevision(base, id, before).variables, storedRevision(base, id, revision).variables);
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error;
    return ['Some variables cannot be decrypted, because they were changed outside Davit. Set them again.'];
  }
}
