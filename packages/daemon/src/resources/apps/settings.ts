/**
 * Creates, changes and deletes apps. Each change of an app's settings creates a revision. One SQLite transaction saves
 * the revision, the app and an event.
 */
import {
  type App,
  type AppCreate,
  type AppPatch,
  type AppSpec,
  type Deployment,
  type DeployPlan,
  IMAGE_PORT,
  takenField,
} from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { effectiveVariables } from '../../app-spec/effective-variables.ts';
import { recordRevision } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp, demandPresent, lookUp } from '../../authorization/lookup.ts';
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
 * @throws DavitError not_found if the user cannot see the environment, conflict if the app's name is taken or while a
 * task deletes the project
 */
export function createApp(core: AppsDeps, ctx: OpContext, input: AppCreate): App {
  const { project, environment: slug, name, ...settings } = input;
  const { spec, contents } = settleFirst(validSpec(settings));
  const environment = lookUp(core.store, ctx.actor, 'operate', 'environment', { project, environment: slug });
  demandCores(core, spec);
  const id = core.store.tx((tx) => {
    demandPresent(tx, environment);
    if (appBySlugs(tx, project, slug, name))
      throw takenField('name', `An app ${name} already exists in ${project}/${slug}. Choose another name.`);
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

/**
 * Returns a function that changes the settings of an app. The function applies the given JSON merge patch to the
 * current settings.
 */
export function patching(patch: AppPatch): SettingsChange {
  return (current) => {
    const { port, ...merged } = mergePatch(current, patch, ['port']);
    return validSpec(port === undefined || port === IMAGE_PORT ? merged : { ...merged, port });
  };
}

/** Returns a function that replaces all settings of an app with new settings. */
export function replacing(spec: AppSpec): SettingsChange {
  return () => validSpec(spec);
}

/**
 * Changes app settings. New values of `scale` and `limits` take effect at once. The other settings take effect with the
 * next deployment.
 * @throws DavitError invalid_input, conflict, and deployment errors if `scale` changes
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
 * Saves app settings and requests a deployment. If the deployment is refused, the settings are not saved.
 * @throws DavitError for invalid settings or a refused deployment
 */
export async function deploySettings(
  core: AppsDeps,
  ctx: OpContext,
  app: AppTarget,
  next: SettingsChange,
): Promise<Deployment> {
  const [id] = await core.deploys.requestWith(saving(core, ctx, app, next));
  core.nudgeRoutes();
  // The list contains exactly one deployment id, because this operation requests one deployment.
  return deploymentRecord(core, ctx, app.reference, id as number);
}

/**
 * Returns the plan of the deployment that a change of an app's settings would start. The function changes nothing.
 * @throws the errors of `deploySettings`
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
 * Marks an app as deleted, and then removes its containers. Because of the mark, other apps can use the app's name and
 * host names at once.
 */
export async function deleteApp(core: AppsDeps, ctx: OpContext, app: AppTarget): Promise<void> {
  core.store.tx((tx) => markAppDeleted(tx, app.id, core.now()));
  await removeSoon(core, ctx, app.project);
}
