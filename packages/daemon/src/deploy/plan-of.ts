import type { DeployPlan } from '@davit/api';
import type { AppTarget } from '../release/app-target.ts';
import type { Base } from '../release/base.ts';
import { readRevisionSpec, releaseSpecOf } from '../release/revision.ts';
import { liveOf } from '../store/release.ts';
import type { Release } from './decide.ts';
import { observedFor } from './observed.ts';
import { changes, plan } from './plan.ts';

/** What the deployment of a release would do, in words. @param present its image is in the engine */
export function planOf(base: Base, app: AppTarget, release: Release, present: boolean): DeployPlan {
  const spec = releaseSpecOf(base, app.id, release.revision);
  const input = observedFor(base, app.id, null, { image: release.image, spec, present });
  const live = liveOf(base.store, app.id);
  const before = live && { tag: live.tag, spec: readRevisionSpec(base, app.id, live.revision) };
  return {
    steps: plan(input).map(({ name, describe }) => ({ name, describe })),
    changes: changes(input, before ?? null),
  };
}
