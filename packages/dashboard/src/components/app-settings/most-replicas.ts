import { APP_PIDS, type App, MAX_REPLICAS, type Quota } from '@davit/api';

/**
 * Returns the maximum number of replicas that an app can have. The result considers the process limit of the replicas
 * and the quota of the project, but not the resources that other apps use.
 * @param quota quota of the project, or `undefined` if it is not known
 */
export function mostReplicas(
  { limits }: Pick<App, 'limits'>,
  quota: Pick<Quota, 'pids' | 'replicas'> | undefined,
): number {
  const pids = Math.max(APP_PIDS, quota?.pids ?? 0);
  return Math.min(MAX_REPLICAS, Math.floor(pids / limits.pids), quota?.replicas ?? MAX_REPLICAS);
}
