import {
  DavitError,
  type DeployInput,
  type Deployment,
  type DeployPlan,
  invalidField,
  type RollbackInput,
} from '@davit/api';
import { heldTag } from '../../adapters/engine/names.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { type DeploymentTarget, lookUp } from '../../authorization/lookup.ts';
import { deploymentById, deploymentsOfApp } from '../../db/tables/deployment.ts';
import { forgetDeployments } from '../../db/tables/old-records.ts';
import { releaseBefore } from '../../db/tables/release.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import { whyNotDeletable } from './deletion.ts';
import type { DeployRequest } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';
import { deploymentRecord, presentDeployment, triggerOf } from './record.ts';

/** Requests a deployment of a tag, or a promotion of another app's live release. Returns the new deployment. */
export async function deployApp(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
  wait: boolean,
): Promise<Deployment> {
  const id = await core.deploys.request(app, requestFor(core, ctx, app, input));
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

export async function planDeploy(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
): Promise<DeployPlan> {
  return core.deploys.plan(app, requestFor(core, ctx, app, input));
}

/**
 * Requests a rollback to an earlier successful deployment. By default, Davit rolls back to the deployment that was live
 * before the current deployment.
 */
export async function rollbackApp(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: RollbackInput | undefined,
  wait: boolean,
): Promise<Deployment> {
  const id = await core.deploys.request(app, backFor(core, ctx, app, input));
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

export async function planRollback(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: RollbackInput | undefined,
): Promise<DeployPlan> {
  return core.deploys.plan(app, backFor(core, ctx, app, input));
}

/**
 * Returns a page of the deployments of an app, newest first.
 * @throws DavitError invalid_input for an invalid cursor
 */
export function listDeployments(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  query: PageQuery,
): Page<Deployment> {
  const read = (limit: number, before: number | null) => deploymentsOfApp(core.store, app.id, limit, before);
  const rows = numberedPage(query, (row) => row.id, read);
  return mapPage(rows, (row) => presentDeployment(core, ctx, row, app.reference, app.liveDeployment));
}

export async function readDeployment(
  core: DeploymentsDeps,
  ctx: OpContext,
  { app, deployment }: DeploymentTarget,
  wait: boolean,
): Promise<Deployment> {
  return deploymentRecord(core, ctx, app.reference, deployment.id, wait);
}

export async function cancelDeployment(
  core: DeploymentsDeps,
  ctx: OpContext,
  { app, deployment }: DeploymentTarget,
): Promise<Deployment> {
  await core.deploys.cancel(deployment.id);
  return deploymentRecord(core, ctx, app.reference, deployment.id);
}

/**
 * Deletes a finished deployment. Garbage collection may then remove the image of the deployment.
 * @throws DavitError conflict if the deployment is live, in progress or still in use
 */
export async function deleteDeployment(
  { store, engine, facts }: DeploymentsDeps,
  ctx: OpContext,
  { app, deployment }: DeploymentTarget,
): Promise<void> {
  const { id } = deployment;
  store.tx((tx) => {
    const row = deploymentById(tx, id);
    if (row === undefined) throw new DavitError('not_found');
    const why = whyNotDeletable(tx, row);
    if (why !== null) throw new DavitError('conflict', why);
    forgetDeployments(tx, row.app_id, [id]);
  });
  await engine.releaseImage(heldTag(facts.id, app.reference, id)).catch((error) => {
    /*
     * Only log the error. The deployment's database row is already deleted, and a background job removes the image
     * later.
     */
    ctx.log.warn(
      { deployment: id, error },
      'the image of a deleted deployment could not be released; the reconciler tries again',
    );
  });
}

function requestFor(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  { tag, from }: DeployInput = {},
): DeployRequest {
  if (from === undefined) return { ...(tag !== undefined && { tag }), trigger: triggerOf(ctx, 'api') };
  if (from === app.reference)
    throw invalidField(
      'from',
      'not_allowed',
      'must be a different app, because an app cannot be promoted to itself. To deploy its live release again, restart the app.',
    );
  return { from: sourceApp(core, ctx, from), trigger: triggerOf(ctx, 'promote') };
}

function backFor(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: RollbackInput | undefined,
): DeployRequest {
  const to = input?.deployment ?? releaseBefore(core.store, app.id);
  if (to === undefined) throw new DavitError('conflict', 'The app has no earlier release. Deploy a tag instead.');
  return { rollbackOf: to, trigger: triggerOf(ctx, 'rollback') };
}

/**
 * Returns the app from which a promotion copies the image.
 * @throws DavitError not_found. The message is the same for a missing app and for an app that the user cannot see.
 */
function sourceApp({ store }: DeploymentsDeps, { actor }: OpContext, reference: string): AppTarget {
  const [project = '', environment = '', app = ''] = reference.split('/');
  return lookUp(store, actor, 'read', 'app', { project, environment, app });
}
