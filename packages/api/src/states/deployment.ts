/**
 * Statuses and phases of a deployment, and possible actions for each status. The daemon and all clients use this file.
 */

export const DEPLOYMENT_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['resolving', 'pulling', 'releasing', 'starting', 'checking', 'switching'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/** Map from each status of a deployment to the possible next statuses. The list is empty for a final status. */
export const TRANSITIONS = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  skipped: [],
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>;

/**
 * Returns the statuses from which a deployment can change to the status `to`. An SQL update changes the status of a
 * deployment only if its current status is in this list.
 */
export function predecessors(to: DeploymentStatus): DeploymentStatus[] {
  return DEPLOYMENT_STATUSES.filter((from) => (TRANSITIONS[from] as readonly DeploymentStatus[]).includes(to));
}

export function isTerminal(status: DeploymentStatus): boolean {
  return TRANSITIONS[status].length === 0;
}

interface DeploymentState {
  status: DeploymentStatus;
  phase: DeploymentPhase | null;
}

/** Functions that return whether an action on a deployment is possible. */
export const can = {
  /**
   * Whether users can cancel the deployment. Canceling is impossible during the traffic switch, which takes only
   * seconds. Afterwards, users can roll back.
   */
  cancel: (d: DeploymentState): boolean =>
    d.status === 'pending' || (d.status === 'running' && d.phase !== 'switching'),
  /**
   * Whether users can roll back to the release of this deployment. If the deployment did not succeed, its release never
   * received requests.
   */
  rollBackTo: (d: DeploymentState): boolean => d.status === 'succeeded',
} as const;
