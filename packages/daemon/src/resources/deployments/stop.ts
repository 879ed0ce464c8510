import { DavitError } from '@davit/api';
import { readRevisionSpec } from '../../app-spec/revision.ts';
import type { Reader } from '../../db/store.ts';
import { type DeploymentRow, openDeploymentsOfApp } from '../../db/tables/deployment.ts';
import { instancesOfApp, moveInstances } from '../../db/tables/instance.ts';
import { isAlive, isStopped, liveOf, setStopped } from '../../db/tables/release.ts';
import { callOff } from './call-off.ts';
import type { DeploymentsDeps } from './deps.ts';

/**
 * Puts on record that an app is stopped: its instances drain from now on, and the retirement that ends every other
 * release ends them too, through any restart. What is deployed to it is called off in the same write, so that none can
 * succeed afterwards. A stopped app stays as it is.
 * @returns the running deployments that were asked to end
 * @throws DavitError conflict when nothing is live or traffic is moving, not_found
 */
export function recordStop({ store, now }: DeploymentsDeps, appId: number): DeploymentRow[] {
  return store.tx((tx) => {
    if (!isAlive(tx, appId)) throw new DavitError('not_found');
    const live = liveOf(tx, appId);
    if (live === undefined) {
      throw new DavitError('conflict', 'Nothing is live in this app: cancel its deployment, or delete the app.');
    }
    const open = openDeploymentsOfApp(tx, appId);
    const moving = open.find((row) => row.phase === 'switching');
    if (moving)
      throw new DavitError('conflict', `Deployment ${moving.id} is moving the traffic: wait a moment, then stop.`);
    for (const row of open) callOff(tx, row, 'The app was stopped before this one began.', now());
    if (isStopped(tx, appId)) return open.filter((row) => row.status === 'running');
    setStopped(tx, appId, now());
    const serving = instancesOfApp(tx, appId).filter((row) => row.role === 'active');
    const { drain_s: drainS } = readRevisionSpec({ store }, appId, live.revision).stop;
    const ids = serving.map((row) => row.id);
    moveInstances(tx, ids, 'active', 'draining', now() + drainS * 1_000);
    return open.filter((row) => row.status === 'running');
  });
}

/** Whether nothing of a stopped app is left, or it is not stopped any more. */
export function isDown(db: Reader, appId: number): boolean {
  if (!isStopped(db, appId)) return true;
  return openDeploymentsOfApp(db, appId).length === 0 && instancesOfApp(db, appId).every((row) => row.role === 'gone');
}
