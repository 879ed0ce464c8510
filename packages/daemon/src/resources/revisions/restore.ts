import { isDeepStrictEqual } from 'node:util';
import {
  type AppSpec,
  AppSpec as AppSpecSchema,
  DavitError,
  type Deployment,
  type DeployPlan,
  type RestoredRevision,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import {
  attachedVariables,
  type EffectiveVariable,
  effectiveVariables,
  overlay,
} from '../../app-spec/effective-variables.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import { presentApp } from '../apps/app.ts';
import { actOn, type OfTheApp, reserveActing, restoreSettings } from '../apps/save-settings.ts';
import type { WantedDeployment } from '../deployments/deploys.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import { demandRoom, type Level } from '../variables/level.ts';
import { levelAsFound, ofApp, openLevel, writeLevel } from '../variables/variables.ts';
import type { RevisionsDeps } from './deps.ts';
import { findRevision, openRevision } from './revision.ts';

/**
 * Restores an app's settings and own variables from a revision. Variables of the project and the environment do not
 * change, because other apps use them.
 * @throws DavitError not_found, conflict, others as a settings change
 */
export async function restoreRevision(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<RestoredRevision> {
  const restore = restoring(core, ctx, app, number);
  const { acting, remaining } = core.store.tx((tx) => {
    const before = currentApp(tx, app.id);
    const restored = restore(tx);
    reserveActing(core, tx, before, restored.acting);
    return restored;
  });
  core.nudgeRoutes();
  await actOn(core, ctx, app.id, acting);
  return { app: presentApp(core, currentApp(core.store, app.id)), not_restored: remaining, deployment: null };
}

/**
 * Restores a revision and requests a deployment of the app in one SQLite transaction.
 * @throws the errors of {@link restoreRevision} and of a deployment
 */
export async function deployRestored(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<RestoredRevision & { deployment: Deployment }> {
  const restore = restoring(core, ctx, app, number);
  let remaining: Restored['remaining'] = [];
  const [id] = await core.deploys.requestWith((tx) => {
    ({ remaining } = restore(tx));
    return [deploymentOf(tx, ctx, app)];
  });
  core.nudgeRoutes();
  // The cast is safe. The call requests one deployment, so the list contains exactly one deployment id.
  const deployment = await deploymentRecord(core, ctx, app.reference, id as number);
  return { app: presentApp(core, currentApp(core.store, app.id)), not_restored: remaining, deployment };
}

/**
 * Returns the deployment plan that {@link deployRestored} would use. Does not change anything.
 * @throws the errors of {@link deployRestored}
 */
export async function planRestored(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): Promise<DeployPlan> {
  const restore = restoring(core, ctx, app, number);
  const [plan] = await core.deploys.planWith((tx) => {
    restore(tx);
    return [deploymentOf(tx, ctx, app)];
  });
  return plan as DeployPlan;
}

function deploymentOf(tx: Tx, ctx: OpContext, { id }: AppTarget): WantedDeployment {
  return { app: currentApp(tx, id), ask: { ofChange: true, trigger: triggerOf(ctx, 'api') } };
}

interface Restored {
  acting: OfTheApp[];
  remaining: RestoredRevision['not_restored'];
}

function restoring(
  core: RevisionsDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
): (tx: Tx) => Restored {
  const row = findRevision(core.store, app, number);
  const { spec, variables } = openRevision(core, app, row.number);
  const kept = { spec: stillValid(spec, row.number), variables };
  return (tx) => {
    const current = currentApp(tx, app.id);
    const owner = ofApp(current);
    const before = levelAsFound(core, tx, owner);
    const wider = widerVariables(core, tx, current);
    const after = ownLevel(kept.variables, wider);
    demandRoom(after);
    writeLevel(core, tx, owner, before, after);
    const effective = effectiveVariables(core, tx, [current]).get(app.id) ?? [];
    const changed = !isDeepStrictEqual(kept.spec, current.spec) || !isDeepStrictEqual(before, after);
    const acting = changed ? restoreSettings(core, ctx, tx, current, { spec: kept.spec, variables: effective }) : [];
    return { acting, remaining: differingSince(kept.variables, wider) };
  };
}

/**
 * Returns the variables that the app gets from its project, its environment and its attachments. Does not include the
 * app's own variables.
 */
function widerVariables(core: RevisionsDeps, tx: Tx, { id, project, environment }: AppTarget): EffectiveVariable[] {
  return overlay({
    project: openLevel(core, tx, 'project', project.id),
    environment: openLevel(core, tx, 'environment', environment.id),
    attachment: attachedVariables(core, tx, [id]).get(id) ?? [],
  });
}

/**
 * Returns the variables that a restore saves in the app. They include project and environment variables that have
 * changed since the revision. Variables of attachments are excluded, because old passwords soon become invalid.
 */
function ownLevel(then: readonly EffectiveVariable[], wider: readonly EffectiveVariable[]): Level {
  const now = new Map(wider.map((variable) => [variable.key, variable]));
  const isOwn = ({ key, value, secret, source }: EffectiveVariable) => {
    if (source === 'attachment') return false;
    const other = now.get(key);
    return source === 'app' || other?.value !== value || other.secret !== secret;
  };
  return new Map(then.filter(isOwn).map(({ key, value, secret }) => [key, { value, secret }]));
}

/**
 * Returns the variables that a restore cannot restore. They were added later outside of the app, or their database or
 * object store was detached.
 */
function differingSince(
  then: readonly EffectiveVariable[],
  wider: readonly EffectiveVariable[],
): Restored['remaining'] {
  const [known, present] = [keysOf(then), keysOf(wider)];
  const added = wider.flatMap(({ key, source }) => (source === 'app' || known.has(key) ? [] : [{ key, source }]));
  const gone = then.flatMap(({ key, source }) =>
    source !== 'attachment' || present.has(key) ? [] : [{ key, source }],
  );
  return [...added, ...gone];
}

function keysOf(variables: readonly EffectiveVariable[]): ReadonlySet<string> {
  return new Set(variables.map(({ key }) => key));
}

/**
 * Validates the settings of a revision. An earlier Davit version may have accepted settings that are invalid now.
 * @throws DavitError conflict
 */
function stillValid(spec: AppSpec, number: number): AppSpec {
  const parsed = AppSpecSchema.safeParse(spec);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const message = `Revision ${number} cannot be restored, because its ${issue?.path.join('.')} is no longer valid. Change the settings instead.`;
  throw new DavitError('conflict', message, { cause: parsed.error });
}
