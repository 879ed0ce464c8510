/**
 * Finds the apps that still use the old login during a password rotation of a database. Deploys these apps with the new
 * login.
 */
import { DavitError } from '@davit/api';
import { appTarget } from '../../../app-spec/app-target.ts';
import type { Reader } from '../../../db/store.ts';
import { appById } from '../../../db/tables/app.ts';
import { attachmentsOfDatabase } from '../../../db/tables/attachment.ts';
import { deploymentsOfApp, openDeploymentsOfApp } from '../../../db/tables/deployment.ts';
import { instancesOfApp } from '../../../db/tables/instance.ts';
import type { DatabaseRow } from '../../../db/tables/managed-database.ts';
import { runningRuns } from '../../../db/tables/run.ts';
import { waitUntil } from '../../../workflow/wait-until.ts';
import type { TaskRequester } from '../../tasks/tasks.ts';
import type { DeployingBase } from './base.ts';
import { type Retiring, retiringLogins } from './retiring.ts';

/**
 * Returns the old logins of a database that are not disabled yet after a password rotation. Each login contains the
 * apps of the database's environment that may still use the login.
 */
export function retiringHere({ store, sealer }: DeployingBase, row: DatabaseRow): Retiring[] {
  /*
   * Skip apps of another environment. If a database was restored from the trash, it may have been in another
   * environment before.
   */
  const isHere = (app: number) => appById(store, app)?.environment_id === row.environment_id;
  return retiringLogins({ sealer }, row).map((login) => ({ ...login, apps: login.apps.filter(isHere) }));
}

/**
 * Deploys the live release of an app again, so that the app uses the new database login. If the app has an unfinished
 * deployment, the function first waits for its end.
 * @returns the reason why the app still uses the old login, or `null`
 */
export async function bringOver(
  base: DeployingBase,
  appId: number,
  { lastDeployment }: Retiring,
  requester: TaskRequester,
  signal: AbortSignal,
): Promise<string | null> {
  const { store } = base;
  let hasRedeployed = false;
  for (;;) {
    await waitUntil(
      store,
      (event) => event.appId === appId,
      () => openDeploymentsOfApp(store, appId).length === 0,
      signal,
    );
    if (!runsBefore(store, appId, lastDeployment)) return null;
    if (hasRedeployed) return failureOf(store, appId);
    hasRedeployed = true;
    const refused = await redeploy(base, appId, requester);
    if (refused !== null) return refused;
  }
}

/**
 * Returns whether an app may still use an old database login. This is the case if the live deployment of the app
 * started before a password rotation replaced the login.
 */
function runsBefore(db: Reader, appId: number, lastDeployment: number): boolean {
  const row = appById(db, appId);
  return (
    row !== undefined && row.stopped === 0 && row.live_deployment !== null && row.live_deployment <= lastDeployment
  );
}

/**
 * Starts another deployment of an app.
 * @returns the reason why the app cannot be deployed. `null` if the deployment was started or the app was deleted.
 */
async function redeploy(
  { store, deploys }: DeployingBase,
  appId: number,
  requester: TaskRequester,
): Promise<string | null> {
  const row = appById(store, appId);
  if (row === undefined) return null;
  try {
    await deploys.request(appTarget(row), { trigger: { kind: 'restart', ...requester } });
    return null;
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    return `${appTarget(row).reference} could not be deployed with the new password. ${error.message}`;
  }
}

function failureOf(db: Reader, appId: number): string | null {
  const row = appById(db, appId);
  if (row === undefined) return null;
  const newest = deploymentsOfApp(db, appId, 1).at(0);
  const why = newest?.error == null ? '' : ` (${newest.error})`;
  return `Deployment ${newest?.id} of ${appTarget(row).reference} failed${why}.`;
}

/**
 * Returns the IP addresses of app containers that use a newer login than the given login. These containers were
 * deployed after the given login was replaced.
 */
export function addressesAfter(db: Reader, databaseId: number, { lastDeployment }: Retiring): string[] {
  return attachmentsOfDatabase(db, databaseId)
    .flatMap(({ app_id }) => instancesOfApp(db, app_id))
    .filter(({ role, deployment_id }) => role !== 'gone' && deployment_id > lastDeployment)
    .map(({ address }) => address);
}

/**
 * Returns whether a replica or one-off command may still use an old database login. For example, a replica of an old
 * release may still process requests.
 */
export function isInUse(db: Reader, { apps, lastDeployment, lastRun }: Retiring): boolean {
  const ofApps = new Set(apps);
  const running = runningRuns(db).some(({ id, app_id }) => id <= lastRun && ofApps.has(app_id));
  return running || apps.some((appId) => hasInstances(db, appId, lastDeployment));
}

function hasInstances(db: Reader, appId: number, lastDeployment: number): boolean {
  return instancesOfApp(db, appId).some(
    ({ role, deployment_id }) => role !== 'gone' && deployment_id <= lastDeployment,
  );
}
