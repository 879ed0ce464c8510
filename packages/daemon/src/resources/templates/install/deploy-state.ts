/**
 * Ids of the deployments and runs that a task has started, by the key of the app or job in the template. Because of
 * them, the task does not start a deployment or run twice after a daemon restart.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
