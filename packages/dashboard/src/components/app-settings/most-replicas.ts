import { type App, MAX_REPLICAS, mostProcesses, type Quota } from '@davit/api';

/**
 * Returns the maximum number of replicas that an app can have. The result considers the process limit of the replicas
 * and the quota of the project, but not the resources that other apps use.
 * @param quota quota of the project, or `undefined` if it is not known
 */
export function mostReplicas(
  { limits }: Pick<App, 'limits'>,
  quota: Pick<Quota, 'pids' | 'replicas'> | undefined,
): number {
  const byPids = Math.floor(mostProcesses(quota?.pids) / limits.pids);
  return Math.min(MAX_REPLICAS, byPids, quota?.replicas ?? MAX_REPLICAS);
}

/** Returns the hint for the number of replicas of an app that can have several replicas. */
export function replicasHint(...parts: Parameters<typeof mostReplicas>): string {
  const most = mostReplicas(...parts);
  if (most === 0)
    return 'The process limit or the quota of the project allows no replica. Lower the process limit, or ask an admin to raise the quota.';
  return `Choose at most ${most}. The process limit and the quota of the project determine this maximum.`;
}
