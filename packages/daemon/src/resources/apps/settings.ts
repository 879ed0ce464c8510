/** Changes of apps. Each change creates a revision, in one transaction with the app and its event. */
import {
  type App,
  type AppCreate,
  type AppPatch,
  type AppSpec,
  DavitError,
  type Deployment,
  type DeployPlan,
  IMAGE_PORT,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { effectiveVariables } from '../../app-spec/effective-variables.ts';
import { recordRevision } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp, lookUp } from '../../authorization/lookup.ts';
import type { Tx } from '../../db/store.ts';
import { appBySlugs, insertApp, markAppDeleted } from '../../db/tables/app.ts';
import { mergePatch } from '../../input/merge-patch.ts';
import { takeSlot } from '../../routing/slots.ts';
import type { WantedDeployment } from '../deployments/deploys.ts';
import { deploymentRecord, triggerOf } from '../deployments/record.ts';
import { presentApp } from './app.ts';
import { removeSoon } from './deletion.ts';
import type { AppsDeps } from './deps.ts';
import { keepContents, settleFirst } from './files.ts';
import { actOn, demandCores, reserveActing, type SettingsChange, saveSettings, validSpec } from './save-settings.ts';

/**
 * Creates an app.
 * @throws DavitError not_found if the actor does not see the environment, conflict if the name is taken
 */
export function createApp(core: AppsDeps, ctx: OpContext, input: AppCreate): App {
  const { project, environment: slug, name, ...settings } = input;
  const { spec, contents } = settleFirst(validSpec(settings));
  const environment = lookUp(core.store, ctx.actor, 'operate', 'environment', { project, environment: slug });
  demandCores(core, spec);
  const id = core.store.tx((tx) => {
    if (appBySlugs(tx, project, slug, name))
      throw new DavitError('conflict', `An app ${name} already exists in ${project}/${slug}. Choose another name.`);
    const appId = insertApp(tx, { environmentId: environment.id, name, spec, at: core.now() });
    keepContents(core, tx, appId, contents);
    core.store.trail.about({ target: `${project}/${slug}/${name}`, projectId: environment.project.id });
    if (spec.port !== null) takeSlot(tx, appId, null, 'http');
    const scope = { id: appId, environment, project: environment.project };
    const variables = effectiveVariables(core, tx, [scope]).get(appId) ?? [];
    recordRevision(core, ctx, tx, { appId, number: 1, spec, variables, reason: 'created' });
    return appId;
  });
  core.nudgeRoutes();
  return presentApp(core, currentApp(core.store, id));
}

/** Returns a change that applies a JSON merge patch. */
export function patching(patch: AppPatch): SettingsChange {
  return (current) => {
    const { port, ...merged } = mergePatch(current, patch, ['port']);
    return validSpec(port === undefined || port === IMAGE_PORT ? merged : { ...merged, port });
  };
}

/** Returns a change that replaces all settings. */
export function replacing(spec: AppSpec): SettingsChange {
  return () => validSpec(spec);
}

/**
 * Changes the settings. Scale and limits take effect at once, all others with the next deployment.
 * @throws DavitError invalid_input, conflict, and for a changed `scale` the errors of a deployment
 */
async function changeSettings(core: AppsDeps, ctx: OpContext, app: AppTarget, next: SettingsChange): Promise<App> {
  const acting = core.store.tx((tx) => {
    const before = currentApp(tx, app.id);
    const acts = saveSettings(core, ctx, tx, app.id, next);
    reserveActing(core, tx, before, acts);
    return acts;
  });
  core.nudgeRoutes();
  await actOn(core, ctx, app.id, acting);
  return presentApp(core, currentApp(core.store, app.id));
}

export function patchApp(core: AppsDeps, ctx: OpContext, app: AppTarget, patch: AppPatch): Promise<App> {
  return changeSettings(core, ctx, app, patching(patch));
}

export function putApp(core: AppsDeps, ctx: OpContext, app: AppTarget, spec: AppSpec): Promise<App> {
  return changeSettings(core, ctx, app, replacing(spec));
}

/**
 * Changes the settings and requests a deployment, both or neither.
 * @throws DavitError of the change or of the deployment
 */
export async function deploySettings(
  core: AppsDeps,
  ctx: OpContext,
  app: AppTarget,
  next: SettingsChange,
): Promise<Deployment> {
  const [id] = await core.deploys.requestWith(saving(core, ctx, app, next));
  core.nudgeRoutes();
  // The callback returned one deployment, so there is exactly one id.
  return deploymentRecord(core, ctx, app.reference, id as number);
}

/**
 * Returns what {@link deploySettings} would do. Changes nothing.
 * @throws the errors of {@link deploySettings}
 */
export async function planSettings(
  core: AppsDeps,
  ctx: OpContext,
  app: AppTarget,
  next: SettingsChange,
): Promise<DeployPlan> {
  const [plan] = await core.deploys.planWith(saving(core, ctx, app, next));
  return plan as DeployPlan;
}

function saving(core: AppsDeps, ctx: OpContext, app: AppTarget, next: SettingsChange) {
  return (tx: Tx): WantedDeployment[] => {
    saveSettings(core, ctx, tx, app.id, next);
    return [{ app: currentApp(tx, app.id), ask: { ofChange: true, trigger: triggerOf(ctx, 'api') } }];
  };
}

/**
 * Deletes an app. Its name and hosts are free when the deletion is recorded, and its containers are removed afterwards.
 */
export async function deleteApp(core: AppsDeps, ctx: OpContext, app: AppTarget): Promise<void> {
  core.store.tx((tx) => markAppDeleted(tx, app.id, core.now()));
  await removeSoon(core, ctx, app.project);
}
