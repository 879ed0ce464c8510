/**
 * Functions for attachments of apps to databases and buckets. An attachment sets environment variables of the app, so
 * each change of an attachment creates a revision of the app.
 */
import { DavitError, type Deployment, type DeployPlan } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { attachedTo } from '../../app-spec/attached.ts';
import { effectiveVariables, leniently } from '../../app-spec/effective-variables.ts';
import { revise } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp, lookUp } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import {
  type Attachable,
  attachmentOf,
  attachmentsOfApps,
  deleteAttachment,
  insertAttachment,
  setAttachmentPrefix,
} from '../../db/tables/attachment.ts';
import type { WantedDeployment } from '../deployments/deploys.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import { UNREADABLE_VALUE } from '../variables/level.ts';
import { sameForApp } from '../variables/variables.ts';
import type { AttachmentsDeps } from './deps.ts';

/** Maximum number of attachments per app. Each attachment sets about six environment variables. */
const MOST = 32;

export interface AppNamed {
  project: string;
  environment: string;
  app: string;
}

export interface AttachmentChange {
  app: AppNamed;
  /**
   * Returns the current database or bucket of the attachment.
   * @throws DavitError if the database or object store is deleted, or if the app must not use it
   */
  of: (tx: Tx, app: AppTarget) => Attachable;
  /** New prefix of the environment variables that the attachment sets. The value `null` removes the attachment. */
  prefix: string | null;
}

/**
 * Adds, changes or removes an attachment of an app.
 * @throws DavitError not_found; conflict for a variable that is set twice, or for too many attachments
 */
export function changeAttachment(core: AttachmentsDeps, ctx: OpContext, change: AttachmentChange): void {
  core.store.tx((tx) => void make(core, ctx, tx, change));
}

/**
 * Changes an attachment of an app and requests a deployment of the app, in one transaction.
 * @throws the errors of {@link changeAttachment} and of a deployment
 */
export async function deployAttachment(
  core: AttachmentsDeps,
  ctx: OpContext,
  change: AttachmentChange,
): Promise<Deployment> {
  const { project, environment, app } = change.app;
  const [id] = await core.deploys.requestWith((tx) => [wantedOf(core, ctx, tx, change)]);
  // The list contains exactly one deployment id, because this operation requests one deployment.
  return deploymentRecord(core, ctx, `${project}/${environment}/${app}`, id as number);
}

/**
 * Returns the plan of the deployment that {@link deployAttachment} would start. The function changes nothing.
 * @throws the errors of {@link deployAttachment}
 */
export async function planAttachment(
  core: AttachmentsDeps,
  ctx: OpContext,
  change: AttachmentChange,
): Promise<DeployPlan> {
  const [plan] = await core.deploys.planWith((tx) => [wantedOf(core, ctx, tx, change)]);
  // The cast is safe. The function requests one deployment, so the list contains exactly one deployment plan.
  return plan as DeployPlan;
}

function wantedOf(core: AttachmentsDeps, ctx: OpContext, tx: Tx, change: AttachmentChange): WantedDeployment {
  const { id } = make(core, ctx, tx, change);
  return { app: currentApp(tx, id), ask: { ofChange: true, trigger: triggerOf(ctx, 'api') } };
}

function make(core: AttachmentsDeps, ctx: OpContext, tx: Tx, change: AttachmentChange): AppTarget {
  const app = lookUp(tx, ctx.actor, 'operate', 'app', { ...change.app });
  const of = change.of(tx, app);
  const before = effectiveVariables(core, tx, [app], leniently(core, UNREADABLE_VALUE)).get(app.id) ?? [];
  if (!write(core, tx, app, of, change.prefix)) return app;
  demandNoCollision(core, tx, app);
  const after = effectiveVariables(core, tx, [app]).get(app.id) ?? [];
  if (!sameForApp(before, after)) {
    revise(core, ctx, tx, app, { spec: app.spec, variables: after, reason: 'variables' });
  }
  return app;
}

/**
 * Adds an attachment of an app or changes the attachment's prefix. If `prefix` is `null`, the attachment is deleted.
 * @returns whether anything changed
 * @throws DavitError not_found, conflict
 */
function write({ now }: AttachmentsDeps, tx: Tx, app: AppTarget, of: Attachable, prefix: string | null): boolean {
  const before = attachmentOf(tx, app.id, of);
  if (prefix === null) {
    if (before === undefined) throw new DavitError('not_found', NOT_ATTACHED);
    deleteAttachment(tx, before);
    return true;
  }
  if (before?.prefix === prefix) return false;
  if (before !== undefined) {
    setAttachmentPrefix(tx, before, prefix);
    return true;
  }
  if (attachmentsOfApps(tx, [app.id]).length >= MOST) {
    const message = `${app.reference} already has ${MOST} attachments, the maximum. Detach a database or a bucket from the app first.`;
    throw new DavitError('conflict', message);
  }
  insertAttachment(tx, app.id, of, prefix, now());
  return true;
}

const NOT_ATTACHED = 'This database or bucket is not attached to the app. Check the list of attachments of the app.';

/**
 * Checks that no two attachments of the app set the same environment variable, because a variable can have only one
 * value.
 * @throws DavitError conflict
 */
function demandNoCollision(core: AttachmentsDeps, tx: Tx, app: AppTarget): void {
  const setBy = new Map<string, string>();
  for (const { what, variables } of attachedTo(core, tx, [app.id]).get(app.id) ?? []) {
    for (const { key } of variables) {
      const other = setBy.get(key);
      if (other !== undefined) {
        const message = `${app.reference} would get the variable ${key} from both ${other} and ${what}. Use a different prefix for one of them.`;
        throw new DavitError('conflict', message);
      }
      setBy.set(key, what);
    }
  }
}
