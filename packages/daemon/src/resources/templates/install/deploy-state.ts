/**
 * Ids of the deployments and runs that a task has requested, by key. A task that runs again after a daemon restart does
 * not request them twice.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
