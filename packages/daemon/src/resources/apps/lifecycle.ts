import type { App, Deployment } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import { presentApp } from './app.ts';
import type { AppsDeps } from './deps.ts';

/** Deploys exactly what is live once more. @throws DavitError conflict when nothing is, or the app is stopped */
export async function restartApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<Deployment> {
  const id = await core.deploys.request(app, { trigger: triggerOf(ctx, 'restart') });
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

/** Deploys what was live when the app was stopped. @throws DavitError conflict when it is not stopped */
export async function startApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<Deployment> {
  const id = await core.deploys.request(app, { trigger: triggerOf(ctx, 'start') });
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

/**
 * Stops an app; one that is stopped stays so.
 * @param wait until nothing of it runs any more; else it is answered when the stop is on record
 * @throws DavitError conflict when nothing is live, or traffic is moving
 */
export async function stopApp(core: AppsDeps, ctx: OpContext, app: AppTarget, wait: boolean): Promise<App> {
  await core.deploys.stop(app.id);
  if (wait) await core.deploys.stopped(app.id, ctx.signal);
  return presentApp(core, currentApp(core.store, app.id));
}
