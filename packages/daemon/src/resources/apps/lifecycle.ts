import type { App, Deployment } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import { presentApp } from './app.ts';
import type { AppsDeps } from './deps.ts';

/**
 * Restarts an app. For the restart, Davit deploys the live release of the app again.
 * @throws DavitError conflict if the app has no live release or is stopped
 */
export async function restartApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<Deployment> {
  const id = await core.deploys.request(app, { trigger: triggerOf(ctx, 'restart') });
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

/**
 * Starts a stopped app with the release that was live when it stopped.
 * @throws DavitError conflict if the app is not stopped
 */
export async function startApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<Deployment> {
  const id = await core.deploys.request(app, { trigger: triggerOf(ctx, 'start') });
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

/**
 * Stops an app. Does nothing if the app is already stopped.
 * @throws DavitError conflict if the app has no live release, or if a deployment is switching traffic
 */
export async function stopApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<App> {
  await core.deploys.stop(app.id);
  /*
   * Without `wait`, the function returns when the database contains the new state. The replicas of the app may still
   * run.
   */
  if (wait) await core.deploys.stopped(app.id, ctx.signal);
  return presentApp(core, currentApp(core.store, app.id));
}
