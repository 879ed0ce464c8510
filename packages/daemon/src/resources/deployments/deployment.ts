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
import { mapPage, type Page, type PageAsk } from '../../input/paging.ts';
import type { DeployAsk } from './deploys.ts';
import type { DeploymentsDeps } from './deps.ts';
import { whyKept } from './kept.ts';
import { deploymentRecord, presentDeployment, triggerOf } from './record.ts';

/** Asks for a deployment of a tag or of what is live elsewhere; answers its record as it is when the answer is due. */
export async function deployApp(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
  wait: boolean,
): Promise<Deployment> {
  const id = await core.deploys.request(app, askFor(core, ctx, app, input));
  return deploymentRecord(core, ctx, app.reference, id, wait);
}

export async function planDeploy(
  core: DeploymentsDeps,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
): Promise<DeployPlan> {
  return core.deploys.plan(app, askFor(core, ctx, app, input));
}

/** Goes back to a deployment that succeeded, by default to the release that was live before the present one. */
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

/** Newest first. @throws DavitError invalid_input for a cursor that was never given out */
export function listDeployments(core: DeploymentsDeps, ctx: OpContext, app: AppTarget, ask: PageAsk): Page<Deployment> {
  const read = (limit: number, before: number | null) => deploymentsOfApp(core.store, app.id, limit, before);
  const rows = numberedPage(ask, (row) => row.id, read);
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
 * Forgets a deployment that has ended and lets go of its image.
 * @throws DavitError conflict while it is live, under way, or something of it is left
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
    const why = whyKept(tx, row);
    if (why !== null) throw new DavitError('conflict', why);
    forgetDeployments(tx, row.app_id, [id]);
  });
  await engine.releaseImage(heldTag(facts.id, app.reference, id)).catch((error) => {
    // The record is gone, and a reconciler lets go of every image that no record names.
    ctx.log.warn({ deployment: id, error }, 'the image of a forgotten deployment has to wait');
  });
}

function askFor(core: DeploymentsDeps, ctx: OpContext, app: AppTarget, { tag, from }: DeployInput = {}): DeployAsk {
  if (from === undefined) return { ...(tag !== undefined && { tag }), trigger: triggerOf(ctx, 'api') };
  if (from === app.reference)
    throw invalidField('from', 'not_allowed', 'must be another app: restart this one instead.');
  return { from: sourceApp(core, ctx, from), trigger: triggerOf(ctx, 'promote') };
}

function backFor(core: DeploymentsDeps, ctx: OpContext, app: AppTarget, input: RollbackInput | undefined): DeployAsk {
  const to = input?.deployment ?? releaseBefore(core.store, app.id);
  if (to === undefined)
    throw new DavitError('conflict', 'There is no earlier release to go back to: deploy a tag instead.');
  return { rollbackOf: to, trigger: triggerOf(ctx, 'rollback') };
}

/** @throws DavitError not_found, in the same words for an app that is missing and one that is not seen */
function sourceApp({ store }: DeploymentsDeps, { actor }: OpContext, reference: string): AppTarget {
  const [project = '', environment = '', app = ''] = reference.split('/');
  return lookUp(store, actor, 'read', 'app', { project, environment, app });
}
