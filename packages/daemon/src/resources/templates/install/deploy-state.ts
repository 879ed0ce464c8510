/**
 * Deployments and runs that a task has started. `deployments` maps an app's key in the template to a deployment id, and
 * `runs` maps a job's key to a run id. After a daemon restart, the task reads these ids, so that it starts nothing
 * twice.
 */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
