/** How an app's settings are changed, whatever asks for it: a patch, a replacement, an earlier revision. */
import { isDeepStrictEqual } from 'node:util';
import { AppSpec, DavitError, invalidField } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import { type EffectiveVariable, effectiveVariables } from '../../app-spec/effective-variables.ts';
import { revise } from '../../app-spec/revision.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp } from '../../authorization/lookup.ts';
import { limitedInstances } from '../../db/instance-limits.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { domainsOfApp } from '../../db/tables/domain.ts';
import { liveOf } from '../../db/tables/release.ts';
import { fieldError } from '../../input/field-error.ts';
import { demandPids, demandReplicas, withinQuota } from '../../quotas/quota.ts';
import { takeSlot } from '../../routing/slots.ts';
import { reserveLimits } from '../deployments/limits.ts';
import { triggerOf } from '../deployments/record.ts';
import type { AppsDeps } from './deps.ts';
import { keepContents, refuseInVolume, settleNext } from './files.ts';
import { refuseCopies } from './single-instance.ts';

/**
 * Settings that belong to the app and not to a release: they act at once, and a rollback leaves them as they are. Labels
 * do as well, with nothing to be done about them.
 */
const OF_THE_APP = ['scale', 'limits'] as const;
export type OfTheApp = (typeof OF_THE_APP)[number];

/** The settings as they are to be, from those that are. @throws DavitError invalid_input when they are not valid as a whole */
export type SettingsChange = (spec: AppSpec) => AppSpec;

/** What is stored is valid as a whole and has every default filled in, whoever asked. */
export function validSpec(settings: unknown): AppSpec {
  const parsed = AppSpec.safeParse(settings);
  if (!parsed.success) throw fieldError(parsed.error, settings);
  return parsed.data;
}

/**
 * Saves valid settings as the app's next revision, in the caller's transaction; the same settings make none.
 * @returns what has to be acted on afterwards, with {@link actOn}, unless a deployment follows anyway
 * @throws DavitError conflict, invalid_input for more than the machine has, unavailable
 */
export function saveSettings(core: AppsDeps, ctx: OpContext, tx: Tx, appId: number, next: SettingsChange): OfTheApp[] {
  const current = currentApp(tx, appId);
  // A queued deployment uses the settings at its start.
  return withinQuota(tx, current.project.id, () => save(core, ctx, tx, current, next));
}

function save(core: AppsDeps, ctx: OpContext, tx: Tx, current: AppTarget, next: SettingsChange): OfTheApp[] {
  const appId = current.id;
  const { spec, contents } = settleNext(core, tx, appId, next(current.spec), current.spec);
  if (isDeepStrictEqual(spec, current.spec)) return [];
  const acting = demandPossible(core, tx, current, spec);
  const rest = { ...current.spec, scale: spec.scale, limits: spec.limits, labels: spec.labels };
  const reason = isDeepStrictEqual(spec, rest) ? 'running' : 'settings';
  const variables = effectiveVariables(core, tx, [current]).get(appId) ?? [];
  keepContents(core, tx, appId, contents);
  revise(core, ctx, tx, current, { spec, variables, reason });
  return acting;
}

/** The same for a revision that is brought back, with the variables that the app gets by then. */
export function restoreSettings(
  core: AppsDeps,
  ctx: OpContext,
  tx: Tx,
  current: AppTarget,
  { spec, variables }: { spec: AppSpec; variables: EffectiveVariable[] },
): OfTheApp[] {
  return withinQuota(tx, current.project.id, () => {
    const acting = demandPossible(core, tx, current, spec);
    revise(core, ctx, tx, current, { spec, variables, reason: 'restored' });
    return acting;
  });
}

/** Whether an app may have these settings; makes room for its route. Answers what of them acts at once. */
function demandPossible(core: AppsDeps, tx: Tx, current: AppTarget, spec: AppSpec): OfTheApp[] {
  refuseCopies(tx, current, spec.scale);
  refuseInVolume(tx, current.id, spec);
  if (spec.limits.cpu !== current.spec.limits.cpu) demandCores(core, spec);
  if (spec.port === null) refuseUnroutable(tx, current);
  else takeSlot(tx, current.id, null, 'http');
  const acting = actsNow(tx, current).filter((key) => !isDeepStrictEqual(spec[key], current.spec[key]));
  if (acting.length > 0) demandEngine(core);
  return acting;
}

/** While nothing is live, a deployment in progress may already have replicas, which get new limits. */
function actsNow(tx: Tx, { id, liveDeployment, stopped }: AppTarget): readonly OfTheApp[] {
  if (liveDeployment !== null && !stopped) return OF_THE_APP;
  return limitedInstances(tx, id).length > 0 ? ['limits'] : [];
}

/** An engine refuses what its machine does not have, when it is too late to say so. @throws DavitError invalid_input */
export function demandCores({ engineSight }: AppsDeps, { limits }: { limits: Pick<AppSpec['limits'], 'cpu'> }): void {
  const { cpus } = engineSight();
  if (cpus === null || limits.cpu === null || limits.cpu <= cpus) return;
  throw invalidField('limits.cpu', 'too_large', `must be at most ${cpus}, which is what the machine has.`);
}

/**
 * Reserves what {@link actOn} needs, in the transaction of the change: a change that cannot take effect is not saved.
 * @throws DavitError quota_exceeded
 */
export function reserveActing({ engine }: AppsDeps, tx: Tx, before: AppTarget, acting: readonly OfTheApp[]): void {
  if (acting.length === 0) return;
  const { id, project, spec } = currentApp(tx, before.id);
  demandPids(tx, project.id, spec);
  if (acting.includes('scale')) demandReplicas(tx, project.id, spec);
  // Scaling starts new containers and does not change running ones.
  if (acting.includes('scale') || !engine.capabilities.liveLimits) return;
  reserveLimits(tx, id);
}

/** A scaling starts its instances with the new limits; without one, those that run are changed in place. */
export async function actOn(
  core: AppsDeps,
  ctx: OpContext,
  appId: number,
  changed: readonly OfTheApp[],
): Promise<void> {
  if (changed.length === 0) return;
  try {
    if (changed.includes('scale')) await deployScale(core, ctx, appId);
    else await core.deploys.limit(currentApp(core.store, appId));
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    const message = `Saved, but the new ${changed.join(' and ')} cannot take effect: ${error.message} Deploy again when that is settled.`;
    const { fields, quota } = error;
    throw new DavitError(error.code, message, { cause: error, fields, quota });
  }
}

/** An app without a port has nothing to send a domain's requests to, unless the domain names a port itself. */
function refuseUnroutable(db: Reader, app: AppTarget): void {
  const domain = domainsOfApp(db, app.id).find((row) => row.port === null && row.redirect_to === null);
  if (domain === undefined) return;
  throw new DavitError('conflict', `${domain.host} goes to the app’s port: give the domain a port or remove it first.`);
}

/** Asked before the change is written, so that a scale that cannot be acted on is not kept either. */
function demandEngine({ engineSight }: AppsDeps): void {
  const { available, problem } = engineSight();
  if (available) return;
  throw new DavitError(
    'engine_unavailable',
    problem ?? 'The engine does not answer: scale and limits cannot be changed right now.',
  );
}

async function deployScale(core: AppsDeps, ctx: OpContext, appId: number): Promise<void> {
  const tag = liveOf(core.store, appId)?.tag;
  if (tag === undefined) return;
  await core.deploys.request(currentApp(core.store, appId), { tag, trigger: triggerOf(ctx, 'scale') });
}
