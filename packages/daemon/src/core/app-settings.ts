/** What changes an app: each change is a revision, written with the app and its event or not at all. */
import { isDeepStrictEqual } from 'node:util';
import { type App, type AppCreate, type AppPatch, AppSpec, DavitError } from '@davit/api';
import type { OpContext } from '../context.ts';
import type { AppTarget } from '../release/app-target.ts';
import { effectiveVariables } from '../release/effective.ts';
import { recordRevision, revise } from '../release/revisions.ts';
import { appBySlugs, insertApp, markAppDeleted } from '../store/apps.ts';
import { domainsOfApp } from '../store/domains.ts';
import { liveOf } from '../store/releases.ts';
import { slotFor } from '../store/routes.ts';
import type { Reader } from '../store/store.ts';
import { presentApp } from './app.ts';
import type { Core } from './core.ts';
import { removeSoon } from './deletion.ts';
import { fieldError } from './field-error.ts';
import { currentApp, lookUp } from './lookup.ts';
import { mergePatch } from './merge-patch.ts';

/** @throws DavitError not_found when the actor sees no such environment, conflict when the name is taken in it */
export function createApp(core: Core, ctx: OpContext, input: AppCreate): App {
  const { project, environment: slug, name, ...settings } = input;
  const spec = validSpec(settings);
  const environment = lookUp(core.store, ctx.actor, 'operate', 'environment', { project, environment: slug });
  const id = core.store.tx((tx) => {
    if (appBySlugs(tx, project, slug, name))
      throw new DavitError('conflict', `${project}/${slug} has an app ${name} already: choose another name.`);
    const appId = insertApp(tx, { environmentId: environment.id, name, spec, at: core.now() });
    if (spec.port !== null) slotFor(tx, appId, null, 'http');
    const scope = { id: appId, environment, project: environment.project };
    const variables = effectiveVariables(core, tx, [scope]).get(appId) ?? [];
    recordRevision(core, ctx, tx, { appId, number: 1, spec, variables, reason: 'created' });
    return appId;
  });
  core.nudgeRoutes();
  return presentApp(core, currentApp(core.store, id));
}

/**
 * Lays a JSON merge patch over the settings; the result must be valid as a whole.
 * @throws DavitError invalid_input, conflict, and of a changed `scale` what starting its deployment throws
 */
export function patchApp(core: Core, ctx: OpContext, app: AppTarget, patch: AppPatch): Promise<App> {
  return change(core, ctx, app, (current) => validSpec(mergePatch(current, patch, ['port'])));
}

/** Replaces the settings. Same errors. */
export function putApp(core: Core, ctx: OpContext, app: AppTarget, spec: AppSpec): Promise<App> {
  return change(core, ctx, app, () => validSpec(spec));
}

/** Deletes an app. Its name and its hosts are free when this is on record; what runs is taken down after. */
export async function deleteApp(core: Core, ctx: OpContext, app: AppTarget): Promise<void> {
  core.store.tx((tx) => markAppDeleted(tx, app.id, core.now()));
  await removeSoon(core, ctx);
}

/** What is stored is valid as a whole and has every default filled in, whoever asked. */
function validSpec(settings: unknown): AppSpec {
  const parsed = AppSpec.safeParse(settings);
  if (!parsed.success) throw fieldError(parsed.error);
  return parsed.data;
}

/** Settings that belong to the app and not to a release: they act at once, and a rollback leaves them as they are. */
const OF_THE_APP = ['scale', 'limits'] as const;
type OfTheApp = (typeof OF_THE_APP)[number];

async function change(core: Core, ctx: OpContext, app: AppTarget, next: (spec: AppSpec) => AppSpec): Promise<App> {
  const changed = core.store.tx((tx): OfTheApp[] => {
    const current = currentApp(tx, app.id);
    const spec = next(current.spec);
    if (isDeepStrictEqual(spec, current.spec)) return [];
    if (spec.port === null) refuseUnroutable(tx, app);
    else slotFor(tx, app.id, null, 'http');
    const isLive = current.liveDeployment !== null && !current.stopped;
    const acting = isLive ? OF_THE_APP.filter((key) => !isDeepStrictEqual(spec[key], current.spec[key])) : [];
    if (acting.length > 0) demandEngine(core);
    const rest = { ...current.spec, scale: spec.scale, limits: spec.limits };
    const reason = isDeepStrictEqual(spec, rest) ? 'running' : 'settings';
    const variables = effectiveVariables(core, tx, [current]).get(app.id) ?? [];
    revise(core, ctx, tx, current, { spec, variables, reason });
    return acting;
  });
  core.nudgeRoutes();
  if (changed.length > 0) await act(core, ctx, app.id, changed);
  return presentApp(core, currentApp(core.store, app.id));
}

/** A scaling starts its instances with the new limits; without one, those that run are changed in place. */
async function act(core: Core, ctx: OpContext, appId: number, changed: OfTheApp[]): Promise<void> {
  try {
    if (changed.includes('scale')) await deployScale(core, ctx, appId);
    else await core.deploys.limit(currentApp(core.store, appId));
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    const message = `Saved, but the new ${changed.join(' and ')} cannot take effect: ${error.message} Deploy again when that is settled.`;
    throw new DavitError(error.code, message, { cause: error });
  }
}

/** An app without a port has nothing to send a domain's requests to, unless the domain names a port itself. */
function refuseUnroutable(db: Reader, app: AppTarget): void {
  const domain = domainsOfApp(db, app.id).find((row) => row.port === null);
  if (domain === undefined) return;
  throw new DavitError('conflict', `${domain.host} goes to the app’s port: give the domain a port or remove it first.`);
}

/** Asked before the change is written, so that a scale that cannot be acted on is not kept either. */
function demandEngine({ engineSight }: Core): void {
  const { available, problem } = engineSight();
  if (available) return;
  throw new DavitError(
    'unavailable',
    problem ?? 'The engine does not answer: scale and limits cannot be changed right now.',
  );
}

async function deployScale(core: Core, ctx: OpContext, appId: number): Promise<void> {
  const tag = liveOf(core.store, appId)?.tag;
  if (tag === undefined) return;
  const { username: by, via } = ctx.actor;
  await core.deploys.request(currentApp(core.store, appId), { tag, trigger: { kind: 'scale', by, via } });
}
