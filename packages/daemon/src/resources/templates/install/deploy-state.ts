/**
 * Deployments and runs that a task has requested, by key. A restarted task uses this state to avoid duplicate requests.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
