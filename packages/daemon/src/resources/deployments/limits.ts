/**
 * Changes the limits of app containers, such as the memory limit. Changes of one app run one after another. If two
 * changes ran at the same time, the containers could get other limits than the saved limits.
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
 * Checks that the project's quota is sufficient for the app's current limits, and reserves the limits. The check
 * includes the containers of a running deployment.
 * @throws DavitError quota_exceeded
 */
export function reserveLimits(tx: Tx, appId: number): void {
  const [app, spec] = [appOfRelease(tx, appId), appSpec(tx, appId)];
  if (app === undefined || spec === undefined) return;
  const { limits } = spec;
  const rows = limitedInstances(tx, appId);
  // If no limit becomes higher, skip the check. Otherwise, the check could fail for an app of an earlier Davit version.
  if (rows.every((row) => covers(limitsOf(row), limits))) return;
  for (const { length: scale } of Map.groupBy(rows, (row) => row.deployment_id).values())
    demandPids(tx, app.project.id, { scale, limits });
  withinQuota(tx, app.project.id, () => raiseLimits(tx, rows, limits));
}

/**
 * Sets an app's current limits on its containers. A container never gets a higher limit than the quota has reserved.
 * @param isMeant selects the replicas to change
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
 * Returns the necessary change of a container's limits. If the limits are correct or the container does not exist yet,
 * returns an empty list.
 */
function changeOf(row: InstanceRow, wanted: AppLimits): Change[] {
  const { container_id } = row;
  const reserved = limitsOf(row);
  const given = smaller(reserved, wanted);
  const isGiven = row.limits_pending === 0 && isSame(given, reserved);
  return container_id === null || isGiven ? [] : [{ row: { ...row, container_id }, given }];
}
