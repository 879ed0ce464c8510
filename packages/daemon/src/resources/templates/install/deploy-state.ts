/** What is kept with the task of it, so that after a restart nothing is asked for twice. */
export interface DeployState {
  deployments: Record<string, number>;
  runs: Record<string, number>;
}
