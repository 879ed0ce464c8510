/**
 * Ids of the deployments and runs that a task has started. The key is the app's or job's key in the template. After a
 * daemon restart, the task does not start them twice.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
