/**
 * Ids of started deployments by app key, and of started runs by job key. With these ids, the task starts no deployment
 * or run twice after a restart of the daemon.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
