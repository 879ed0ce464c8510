/** The apps of a rotation: which of them still use the login from before, and what becomes of them. */
import { DavitError } from '@davit/api';
import { waitUntil } from '../../deploy/waiting.ts';
import { appTarget } from '../../release/app-target.ts';
import { appById } from '../../store/app.ts';
import { deploymentsOfApp, openDeploymentsOfApp } from '../../store/deployment.ts';
import { instancesOfApp } from '../../store/instance.ts';
import { runningRuns } from '../../store/run.ts';
import type { Reader } from '../../store/store.ts';
import type { Asker } from '../../tasks/tasks.ts';
import type { DeployingBase } from './base.ts';
import type { Retiring } from './retiring.ts';

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
