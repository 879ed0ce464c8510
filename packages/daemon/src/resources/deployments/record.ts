import { DavitError, type Deployment, type Trigger, timestamp } from '@davit/api';
import type { OpContext } from '../../auth/context.ts';
import { sees } from '../../authorization/lookup.ts';
import { type DeploymentRow, deploymentById } from '../../db/tables/deployment.ts';
import { stepsOfDeployment } from '../../db/tables/deployment-step.ts';
import { liveOf } from '../../db/tables/release.ts';
import { hasManifest, imageReference, nameInOwnRepository } from '../../image-references/own-registry.ts';
import { seesRepository } from '../registry/rights.ts';
import type { DeploymentsDeps } from './deps.ts';

export function triggerOf({ actor }: OpContext, kind: Trigger['kind']): Trigger {
  return { kind, by: actor.username, via: actor.via };
}

/**
 * Returns a deployment for the API, with its log.
 * @param reference reference of the deployment's app in the form `project/environment/app`
 * @param wait whether to wait until the deployment has ended
 */
export async function deploymentRecord(
  core: DeploymentsDeps,
  ctx: OpContext,
  reference: string,
  id: number,
  wait = false,
): Promise<Deployment> {
  if (wait) await core.deploys.ended(id, ctx.signal);
  const row = deploymentById(core.store, id);
  if (!row) throw new DavitError('not_found');
  const log = row.log === null ? [] : (JSON.parse(row.log) as string[]);
  return { ...presentDeployment(core, ctx, row, reference, liveOf(core.store, row.app_id)?.id ?? null), log };
}

/** Returns a deployment in the format of the API response, without its log. */
export function presentDeployment(
  core: DeploymentsDeps,
  ctx: OpContext,
  row: DeploymentRow,
  reference: string,
  live: number | null,
): Deployment {
  const { store, now } = core;
  return {
    id: row.id,
    app: reference,
    tag: row.tag,
    image: imageFor(core, ctx, row, reference),
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
    promoted_from: promotedFrom(ctx, row),
    superseded_by: row.superseded_by,
    error: row.error,
    error_code: row.error_code,
    image_missing:
      row.image_missing_since === null
        ? null
        : { since: timestamp(row.image_missing_since), pulled_again: hasManifest(row) },
    live: row.id === live,
    has_logs: row.log !== null,
    created_at: timestamp(row.created_at),
    started_at: timestamp(row.started_at),
    finished_at: timestamp(row.finished_at),
    duration_ms: row.started_at === null ? null : (row.finished_at ?? now()) - row.started_at,
  };
}

/**
 * Returns the image name in the form that the user may see. The name of a promoted image contains the name of another
 * app, which the user may not be allowed to see.
 */
function imageFor({ store, facts }: DeploymentsDeps, { actor }: OpContext, row: DeploymentRow, app: string): string {
  const own = nameInOwnRepository(facts, app, row.image, hasManifest(row) ? row.digest : null);
  if (own === row.image) return own;
  const repository = imageReference(facts, row.image)?.repository;
  return repository !== undefined && seesRepository(store, actor, repository, row.created_at) ? row.image : own;
}

/**
 * Returns the app from which an image was promoted. If the deployment is not a promotion, returns `null`. The name of
 * the app is `null` if the user cannot see the project of this app.
 */
function promotedFrom({ actor }: OpContext, row: DeploymentRow): Deployment['promoted_from'] {
  const { promoted_deployment: deployment, promoted_project: projectId, promoted_app: app } = row;
  return deployment === null ? null : { app: sees(actor, projectId) ? app : null, deployment };
}
