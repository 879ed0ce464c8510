import { isTerminal } from '@davit/api';
import type { Reader } from '../../db/store.ts';
import { type DeploymentRow, openDeploymentFrom } from '../../db/tables/deployment.ts';
import { instancesOfDeployment } from '../../db/tables/instance.ts';
import { liveOf } from '../../db/tables/release.ts';
import { runningOfDeployment } from '../../db/tables/run.ts';

/** Returns the reason why a deployment cannot be deleted now, or `null` if the deployment can be deleted. */
export function whyNotDeletable(db: Reader, { id, app_id, status }: DeploymentRow): string | null {
  if (!isTerminal(status)) return `Deployment ${id} is in progress. Cancel it first.`;
  if (liveOf(db, app_id)?.id === id) return `Deployment ${id} is live. Deploy another release first.`;
  /*
   * Keep the deployment while its replicas stop, because HAProxy's configuration may still contain the IP addresses of
   * the replicas.
   */
  if (instancesOfDeployment(db, id).length > 0) {
    return `The replicas of deployment ${id} are still stopping. Try again in a moment.`;
  }
  /*
   * Keep a deployment while a one-off command uses it. If the daemon restarts, it needs the deployment to continue the
   * command.
   */
  const run = runningOfDeployment(db, id);
  if (run !== undefined) return `Run ${run.id} uses deployment ${id}. Wait for its end, or cancel it.`;
  const user = openDeploymentFrom(db, id);
  return user === undefined
    ? null
    : `Deployment ${user} uses the image of deployment ${id}. Wait until deployment ${user} has ended.`;
}
