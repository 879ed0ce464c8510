import { DavitError } from '@davit/api';
import { readRevisionSpec } from '../../app-spec/revision.ts';
import type { Reader } from '../../db/store.ts';
import { type DeploymentRow, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { instancesOfApp, moveInstances } from '../../db/tables/instance.ts';
import { dropWaitingPushes } from '../../db/tables/push.ts';
import { isAlive, isStopped, liveOf, setStopped } from '../../db/tables/release.ts';
import { callOff } from './call-off.ts';
import type { DeploymentsDeps } from './deps.ts';

/** Reason why Davit no longer retries the deployment of a pushed image. */
const STOPPED_FIRST = 'The app was stopped before Davit could deploy this image. To use the image, deploy its tag.';

/**
 * Saves in one SQLite transaction that an app is stopped, and cancels the app's deployments. The containers stop later
 * in the background, after their drain time. If the app is already stopped, the function only cancels the deployments.
 * Davit then no longer deploys waiting pushes of the app, because a deployment would start the app again.
 * @returns the running deployments whose cancellation was requested
 * @throws DavitError conflict if the app has no live release or a deployment is switching traffic; not_found
 */
export function recordStop({ store, now }: DeploymentsDeps, appId: number): DeploymentRow[] {
  return store.tx((tx) => {
    if (!isAlive(tx, appId)) throw new DavitError('not_found');
    const live = liveOf(tx, appId);
    if (live === undefined) {
      throw new DavitError(
        'conflict',
        'The app cannot be stopped, because it has no live release. Cancel its running deployment, or delete the app.',
      );
    }
    const open = openDeploymentsOfApp(tx, appId);
    const moving = open.find((row) => row.phase === 'switching');
    if (moving)
      throw new DavitError(
        'conflict',
        `The app cannot be stopped while deployment ${moving.id} switches the traffic. Wait until the deployment has ended.`,
      );
    for (const row of open) callOff(tx, row, 'The app was stopped before this deployment started.', now());
    dropWaitingPushes(tx, appId, { reason: STOPPED_FIRST, image: null, at: now() });
    if (isStopped(tx, appId)) return open.filter((row) => row.status === 'running');
    setStopped(tx, appId, now());
    const serving = instancesOfApp(tx, appId).filter((row) => row.role === 'active');
    const { drain_s: drainS } = readRevisionSpec({ store }, appId, live.revision).stop;
    const ids = serving.map((row) => row.id);
    moveInstances(tx, ids, 'active', 'draining', now() + drainS * 1_000);
    return open.filter((row) => row.status === 'running');
  });
}

/**
 * Returns whether the stop of an app is complete. The stop is complete if the app has no replicas and no unfinished
 * deployments. If a user has started the app again in the meantime, also returns `true`.
 */
export function isDown(db: Reader, appId: number): boolean {
  if (!isStopped(db, appId)) return true;
  return openDeploymentsOfApp(db, appId).length === 0 && instancesOfApp(db, appId).every((row) => row.role === 'gone');
}
