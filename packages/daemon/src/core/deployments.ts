import {
  DavitError,
  type DeployInput,
  type Deployment,
  type DeployPlan,
  type RollbackInput,
  type Trigger,
  timestamp,
} from '@davit/api';
import type { OpContext } from '../context.ts';
import type { AppTarget } from '../release/app-target.ts';
import { type DeploymentRow, deploymentById, deploymentsOfApp, stepsOfDeployment } from '../store/deployments.ts';
import { liveOf, releaseBefore } from '../store/releases.ts';
import type { Core } from './core.ts';
import { type DeploymentTarget, pathNumber } from './lookup.ts';

const PAGE = 50;

/** Asks for a deployment of a tag; answers its record as it is when the answer is due. */
export async function deployApp(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
  wait: boolean,
): Promise<Deployment> {
  const id = await core.deploys.request(app, {
    ...(input?.tag !== undefined && { tag: input.tag }),
    trigger: triggerOf(ctx, 'api'),
  });
  return recordOf(core, ctx, app.reference, id, wait);
}

export function planDeploy(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  input: DeployInput | undefined,
): Promise<DeployPlan> {
  return core.deploys.plan(app, {
    ...(input?.tag !== undefined && { tag: input.tag }),
    trigger: triggerOf(ctx, 'api'),
  });
}

/** Goes back to a deployment that succeeded, by default to the release that was live before the present one. */
export async function rollBackApp(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  input: RollbackInput | undefined,
  wait: boolean,
): Promise<Deployment> {
  const to = input?.deployment ?? releaseBefore(core.store, app.id);
  if (to === undefined) throw new DavitError('conflict', 'There is no earlier release to go back to.');
  const id = await core.deploys.request(app, { rollbackOf: to, trigger: triggerOf(ctx, 'rollback') });
  return recordOf(core, ctx, app.reference, id, wait);
}

export interface DeploymentPage {
  deployments: Deployment[];
  /** Where the next page starts; null at the end. */
  next: string | null;
}

/** @throws DavitError invalid_input for a cursor that was never given out */
export function listDeployments(
  core: Core,
  app: AppTarget,
  page: { limit?: number | undefined; cursor?: string | undefined },
): DeploymentPage {
  const limit = page.limit ?? PAGE;
  const before = page.cursor === undefined ? null : parseCursor(page.cursor);
  const rows = deploymentsOfApp(core.store, app.id, limit + 1, before);
  const shown = rows.slice(0, limit);
  const deployments = shown.map((row) => presentDeployment(core, row, app.reference, app.liveDeployment));
  return { deployments, next: rows.length > limit ? String(shown.at(-1)?.id) : null };
}

export async function getDeployment(
  core: Core,
  ctx: OpContext,
  { app, deployment }: DeploymentTarget,
  wait: boolean,
): Promise<Deployment> {
  return recordOf(core, ctx, app.reference, deployment.id, wait);
}

export async function cancelDeployment(
  core: Core,
  ctx: OpContext,
  { app, deployment }: DeploymentTarget,
): Promise<Deployment> {
  await core.deploys.cancel(deployment.id);
  return recordOf(core, ctx, app.reference, deployment.id, false);
}

function triggerOf({ actor }: OpContext, kind: Trigger['kind']): Trigger {
  return { kind, by: actor.username, via: actor.via };
}

async function recordOf(core: Core, ctx: OpContext, reference: string, id: number, wait: boolean): Promise<Deployment> {
  if (wait) await core.deploys.ended(id, ctx.signal);
  const row = deploymentById(core.store, id);
  if (!row) throw new DavitError('not_found');
  const log = row.log === null ? [] : (JSON.parse(row.log) as string[]);
  return { ...presentDeployment(core, row, reference, liveOf(core.store, row.app_id)?.id ?? null), log };
}

function parseCursor(cursor: string): number {
  const before = pathNumber(cursor);
  if (before === undefined) throw new DavitError('invalid_input', 'cursor: must be one that a page before named.');
  return before;
}

/** The record as everybody may see it; its log is added where one deployment is read alone. */
function presentDeployment(
  { store, now }: Core,
  row: DeploymentRow,
  reference: string,
  live: number | null,
): Deployment {
  return {
    id: row.id,
    app: reference,
    tag: row.tag,
    image: row.image,
    digest: row.digest,
    status: row.status,
    phase: row.phase,
    steps: stepsOfDeployment(store, row.id).map((step) => ({
      name: step.name,
      started_at: timestamp(step.started_at),
      finished_at: timestamp(step.finished_at),
      error: step.error,
    })),
    revision: row.revision,
    trigger: { kind: row.trigger_kind, by: row.trigger_by, via: row.trigger_via },
    rollback_of: row.rollback_of,
    superseded_by: row.superseded_by,
    error: row.error,
    live: row.id === live,
    has_logs: row.log !== null,
    created_at: timestamp(row.created_at),
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
    duration_ms: row.started_at === null ? null : (row.finished_at ?? now()) - row.started_at,
  };
}
