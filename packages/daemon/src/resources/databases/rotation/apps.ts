/** The apps of a rotation: which of them still use the login from before, and what becomes of them. */
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
import type { Asker } from '../../tasks/tasks.ts';
import type { DeployingBase } from './base.ts';
import { type Retiring, retiringLogins } from './retiring.ts';

/** The logins of rotations that did not end, with the apps that are in the environment of the database: it may have moved. */
export function retiringHere({ store, sealer }: DeployingBase, row: DatabaseRow): Retiring[] {
  const isHere = (app: number) => appById(store, app)?.environment_id === row.environment_id;
  return retiringLogins({ sealer }, row).map((login) => ({ ...login, apps: login.apps.filter(isHere) }));
}

/**
 * Has an app run with the login of now: deploys again what is live of it, as it is, unless something newer is on its way.
 * @param asker of the rotation: the deployments are theirs
 * @returns why it still runs with the one from before; null: it does not
 * @throws the signal's reason
 */
export async function bringOver(
  base: DeployingBase,
  appId: number,
  { lastDeployment }: Retiring,
  asker: Asker,
  signal: AbortSignal,
): Promise<string | null> {
  const { store } = base;
  let asked = false;
  for (;;) {
    await waitUntil(
      store,
      (event) => event.appId === appId,
      () => openDeploymentsOfApp(store, appId).length === 0,
      signal,
    );
    if (!runsBefore(store, appId, lastDeployment)) return null;
    if (asked) return failureOf(store, appId);
    asked = true;
    const refused = await askAgain(base, appId, asker);
    if (refused !== null) return refused;
  }
}

/** Whether what is live of an app was begun with the login from before. */
function runsBefore(db: Reader, appId: number, lastDeployment: number): boolean {
  const row = appById(db, appId);
  return (
    row !== undefined && row.stopped === 0 && row.live_deployment !== null && row.live_deployment <= lastDeployment
  );
}

/** @returns why it cannot be deployed; null: it is on its way */
async function askAgain({ store, deploys }: DeployingBase, appId: number, asker: Asker): Promise<string | null> {
  const row = appById(store, appId);
  if (row === undefined) return null;
  try {
    await deploys.request(appTarget(row), { trigger: { kind: 'restart', ...asker } });
    return null;
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    return `${appTarget(row).reference} cannot be deployed again: ${error.message}`;
  }
}

function failureOf(db: Reader, appId: number): string | null {
  const row = appById(db, appId);
  if (row === undefined) return null;
  const newest = deploymentsOfApp(db, appId, 1).at(0);
  const why = newest?.error == null ? '' : ` (${newest.error})`;
  return `Deployment ${newest?.id} of ${appTarget(row).reference} did not succeed${why}.`;
}

/** Addresses of the containers that run with a later login than this one. */
export function addressesAfter(db: Reader, databaseId: number, { lastDeployment }: Retiring): string[] {
  return attachmentsOfDatabase(db, databaseId)
    .flatMap(({ app_id }) => instancesOfApp(db, app_id))
    .filter(({ role, deployment_id }) => role !== 'gone' && deployment_id > lastDeployment)
    .map(({ address }) => address);
}

/** Whether anything is left that was begun with a login: releases that end their last requests, commands. */
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
