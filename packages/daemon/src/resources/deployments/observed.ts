import type { AppSpec } from '@davit/api';
import { currentMounts, isHeldAlone } from '../../app-spec/mounts.ts';
import { instancesOfApp, instancesOfDeployment } from '../../db/tables/instance.ts';
import { mountsOfDeployment } from '../../db/tables/mount.ts';
import { isStopped, liveOf } from '../../db/tables/release.ts';
import type { DeploymentsDeps } from './deps.ts';
import type { PlanInput } from './plan.ts';

/**
 * Returns the current state of an app for a deployment plan.
 * @param deploymentId id of the planned deployment, which is not part of the current state. `null` if the deployment is
 * not saved yet.
 */
export function observedFor(
  base: DeploymentsDeps,
  appId: number,
  deploymentId: number | null,
  of: { image: string; spec: AppSpec; present: boolean },
): PlanInput {
  const claimed = deploymentId === null ? null : mountsOfDeployment(base.store, deploymentId);
  const exclusive = isHeldAlone(claimed ?? currentMounts(base.store, appId));
  return { ...of, exclusive, live: predecessor(base, appId, deploymentId) };
}

function predecessor({ store }: DeploymentsDeps, appId: number, deploymentId: number | null): PlanInput['live'] {
  const live = liveOf(store, appId);
  if (live === undefined || live.id === deploymentId) return null;
  if (!isStopped(store, appId)) {
    return { tag: live.tag, instances: instancesOfDeployment(store, live.id).length, serving: true };
  }
  // If a user has just stopped the app, its containers may still run and use its volume or its published port.
  const left = instancesOfApp(store, appId).filter((row) => row.role === 'draining').length;
  return left === 0 ? null : { tag: live.tag, instances: left, serving: false };
}
