/**
 * Ids of started deployments, by app key, and of runs, by job key. After a daemon restart, the task starts none of them
 * twice.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
