/**
 * Saves changes of an app's settings. A change can be a patch, a full replacement, or the restoration of an earlier
 * revision of the settings.
 */
import { isDeepStrictEqual } from 'node:util';
import { AppSpec, DavitError, invalidField } from '@davit/api';
import { isMemoryInUse } from '../../adapters/engine/engine-problem.ts';
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
import { refuseSecondReplica } from './single-replica.ts';

/**
 * App settings that take effect without a deployment. A rollback of the app does not change these settings. `labels` is
 * not in the list, because labels do not affect containers.
 */
const OF_THE_APP = ['scale', 'limits'] as const;
export type OfTheApp = (typeof OF_THE_APP)[number];

/**
 * Function that receives the current settings of an app and returns the new settings.
 * @throws DavitError invalid_input if the new settings are invalid
 */
export type SettingsChange = (spec: AppSpec) => AppSpec;

/** Validates app settings and adds the default values, so that the database stores all settings of an app. */
export function validSpec(settings: unknown): AppSpec {
  const parsed = AppSpec.safeParse(settings);
  if (!parsed.success) throw fieldError(parsed.error, settings);
  return parsed.data;
}

/**
 * Saves app settings as a new revision.
 * @returns names of the changed settings that take effect without a deployment
 * @throws DavitError conflict, invalid_input, engine_unavailable
 */
export function saveSettings(core: AppsDeps, ctx: OpContext, tx: Tx, appId: number, next: SettingsChange): OfTheApp[] {
  const current = currentApp(tx, appId);
  /*
   * Include the replicas of a pending deployment in the quota check, because these replicas will start with the new
   * settings.
   */
  return withinQuota(tx, current.project.id, () => save(core, ctx, tx, current, next));
}

function save(core: AppsDeps, ctx: OpContext, tx: Tx, current: AppTarget, next: SettingsChange): OfTheApp[] {
  const appId = current.id;
  const { spec, contents } = settleNext(core, tx, appId, next(current.spec), current.spec);
  // If the settings are unchanged, create no revision.
  if (isDeepStrictEqual(spec, current.spec)) return [];
  const acting = demandPossible(core, tx, current, spec);
  const rest = { ...current.spec, scale: spec.scale, limits: spec.limits, labels: spec.labels };
  const reason = isDeepStrictEqual(spec, rest) ? 'running' : 'settings';
  const variables = effectiveVariables(core, tx, [current]).get(appId) ?? [];
  keepContents(core, tx, appId, contents);
  revise(core, ctx, tx, current, { spec, variables, reason });
  return acting;
}

/** Saves the settings and variables of an earlier revision as a new revision of the app. */
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

/**
 * Checks that the app can have the new settings, and reserves an HAProxy backend for the app's port.
 * @returns names of the changed settings that take effect without a deployment
 */
function demandPossible(core: AppsDeps, tx: Tx, current: AppTarget, spec: AppSpec): OfTheApp[] {
  refuseSecondReplica(tx, current, spec.scale);
  refuseInVolume(tx, current.id, spec);
  if (spec.limits.cpu !== current.spec.limits.cpu) demandCores(core, spec);
  if (spec.port === null) refuseUnroutable(tx, current);
  else takeSlot(tx, current.id, null, 'http');
  const acting = actsNow(tx, current).filter((key) => !isDeepStrictEqual(spec[key], current.spec[key]));
  if (acting.length > 0) demandEngine(core);
  return acting;
}

/** Returns the names of the settings whose changes take effect without a deployment. */
function actsNow(tx: Tx, { id, liveDeployment, stopped }: AppTarget): readonly OfTheApp[] {
  if (liveDeployment !== null && !stopped) return OF_THE_APP;
  /*
   * An app that is stopped or was never released can have containers, for example during its first deployment. Apply
   * new limits to these containers.
   */
  return limitedInstances(tx, id).length > 0 ? ['limits'] : [];
}

/**
 * Checks that the CPU limit of an app is not higher than the number of CPU cores of the server. Otherwise, Docker would
 * reject the limit during the deployment.
 * @throws DavitError invalid_input
 */
export function demandCores({ engineSight }: AppsDeps, { limits }: { limits: Pick<AppSpec['limits'], 'cpu'> }): void {
  const { cpus } = engineSight();
  if (cpus === null || limits.cpu === null || limits.cpu <= cpus) return;
  throw invalidField('limits.cpu', 'too_large', `must be at most ${cpus}, the number of CPU cores of the server.`);
}

/**
 * Reserves project quota for a changed number of replicas or changed limits. The function runs in the transaction that
 * saves the change.
 * @throws DavitError quota_exceeded
 */
export function reserveActing({ engine }: AppsDeps, tx: Tx, before: AppTarget, acting: readonly OfTheApp[]): void {
  if (acting.length === 0) return;
  const { id, project, spec } = currentApp(tx, before.id);
  if (acting.includes('scale')) demandReplicas(tx, project.id, spec);
  demandPids(tx, project.id, spec);
  /*
   * A change of `scale` starts a deployment. Only the new containers of this deployment get the new limits, so reserve
   * nothing here.
   */
  if (acting.includes('scale') || !engine.capabilities.liveLimits) return;
  reserveLimits(tx, id);
}

/**
 * Applies a saved change of scale or limits. A changed scale starts a deployment. Changed limits are set on the running
 * containers. If a replica uses more memory than its new limit, Davit deploys the app again.
 */
export async function actOn(
  core: AppsDeps,
  ctx: OpContext,
  appId: number,
  changed: readonly OfTheApp[],
): Promise<void> {
  if (changed.length === 0) return;
  try {
    if (changed.includes('scale')) await deployScale(core, ctx, appId);
    else await limitOrReplace(core, ctx, appId);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    const message = `The change of ${changed.join(' and ')} is saved but not applied. ${error.message} Solve the problem, then deploy the app again.`;
    const { fields, quota } = error;
    throw new DavitError(error.code, message, { cause: error, fields, quota });
  }
}

/**
 * Checks that no domain uses the port of the app. A domain does not use the app's port if the domain has its own port
 * or redirects to a URL.
 */
function refuseUnroutable(db: Reader, app: AppTarget): void {
  const domain = domainsOfApp(db, app.id).find((row) => row.port === null && row.redirect_to === null);
  if (domain === undefined) return;
  throw new DavitError(
    'conflict',
    `The port of the app cannot be removed, because the domain ${domain.host} uses it. Give the domain its own port, or remove the domain first.`,
  );
}

/**
 * Checks that Docker is available before a change of scale or limits is saved. Without Docker, Davit could save the
 * change but not apply it.
 */
function demandEngine({ engineSight }: AppsDeps): void {
  const { available, problem } = engineSight();
  if (available) return;
  throw new DavitError(
    'engine_unavailable',
    problem ??
      'The number of replicas and the limits cannot be changed, because Docker does not respond. Try again when Docker is running.',
  );
}

/**
 * Sets new limits on the running containers of an app. Docker cannot set a memory limit below the current memory use of
 * a container. In this case, a deployment replaces the containers.
 */
async function limitOrReplace(core: AppsDeps, ctx: OpContext, appId: number): Promise<void> {
  try {
    await core.deploys.limit(currentApp(core.store, appId));
  } catch (error) {
    const isInUse = error instanceof DavitError && isMemoryInUse(error.cause);
    if (!isInUse || liveOf(core.store, appId) === undefined) throw error;
    await deployScale(core, ctx, appId);
  }
}

async function deployScale(core: AppsDeps, ctx: OpContext, appId: number): Promise<void> {
  const tag = liveOf(core.store, appId)?.tag;
  if (tag === undefined) return;
  await core.deploys.request(currentApp(core.store, appId), { tag, trigger: triggerOf(ctx, 'scale') });
}
