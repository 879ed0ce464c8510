/**
 * CPU, memory and process limits of app containers. Davit first reserves a limit in the project's quota, and then sets
 * it on the container. Davit makes the changes of one app one after another. Two changes at the same time could set a
 * limit that differs from the saved limit.
 */
import type { AppLimits } from '@davit/api';
import {
  confirmLimits,
  covers,
  expectLimits,
  isSame,
  limitedInstances,
  limitsOf,
  raiseLimits,
  smaller,
} from '../../db/instance-limits.ts';
import type { Tx } from '../../db/store.ts';
import type { InstanceRow } from '../../db/tables/instance.ts';
import { appOfRelease, appSpec } from '../../db/tables/release.ts';
import { demandPids, withinQuota } from '../../quotas/quota.ts';
import type { DeploymentsDeps } from './deps.ts';
import { engineLimits } from './environment.ts';
import type { Work } from './work.ts';

/**
 * Checks that the project's quota is large enough for all containers of the app with its current limits. This includes
 * containers of a running deployment. If so, reserves the limits in the quota.
 * @throws DavitError quota_exceeded
 */
export function reserveLimits(tx: Tx, appId: number): void {
  const [app, spec] = [appOfRelease(tx, appId), appSpec(tx, appId)];
  if (app === undefined || spec === undefined) return;
  const { limits } = spec;
  const rows = limitedInstances(tx, appId);
  /*
   * Skip the check if no reserved limit becomes higher. An app of an earlier Davit version could fail the check,
   * although the app needs no additional quota.
   */
  if (rows.every((row) => covers(limitsOf(row), limits))) return;
  for (const { length: scale } of Map.groupBy(rows, (row) => row.deployment_id).values())
    demandPids(tx, app.project.id, { scale, limits });
  withinQuota(tx, app.project.id, () => raiseLimits(tx, rows, limits));
}

/**
 * Sets the limits of an app's containers to the current settings of the app. A container gets at most the limits that
 * are reserved in the project's quota. If Docker refuses a change, the container keeps its limits.
 * @param isMeant selects the replicas to change. Default: all replicas of the app.
 * @throws EngineRefused, EngineUnavailable
 */
export async function applyAppLimits(
  { base, limiting }: Pick<Work, 'base' | 'limiting'>,
  appId: number,
  isMeant: (row: InstanceRow) => boolean = () => true,
): Promise<void> {
  if (base.engine.capabilities.liveLimits) await limiting.run(appId, () => applyInTurn(base, appId, isMeant));
}

interface Change {
  row: InstanceRow & { container_id: string };
  given: AppLimits;
}

async function applyInTurn(
  { engine, store }: DeploymentsDeps,
  appId: number,
  isMeant: (row: InstanceRow) => boolean,
): Promise<void> {
  const wanted = appSpec(store, appId)?.limits;
  if (wanted === undefined) return;
  const changes = limitedInstances(store, appId)
    .filter(isMeant)
    .flatMap((row) => changeOf(row, wanted));
  if (changes.length === 0) return;
  store.tx((tx) =>
    expectLimits(
      tx,
      changes.map(({ row }) => row.id),
    ),
  );
  const answers = await Promise.allSettled(
    changes.map(({ row, given }) => engine.setLimits(row.container_id, engineLimits(given))),
  );
  store.tx((tx) => {
    const present = appSpec(tx, appId)?.limits ?? wanted;
    for (const [index, { row, given }] of changes.entries())
      if (answers[index]?.status === 'fulfilled') confirmLimits(tx, row, { given, wanted: present });
  });
  const refused = answers.find(({ status }) => status === 'rejected');
  if (refused?.status === 'rejected') throw refused.reason;
}

/**
 * Compares the limits of a container with the limits that it should have.
 * @returns a list with one change, or an empty list if the container needs no change or does not exist yet
 */
function changeOf(row: InstanceRow, wanted: AppLimits): Change[] {
  const { container_id } = row;
  const reserved = limitsOf(row);
  const given = smaller(reserved, wanted);
  const isGiven = row.limits_pending === 0 && isSame(given, reserved);
  return container_id === null || isGiven ? [] : [{ row: { ...row, container_id }, given }];
}
