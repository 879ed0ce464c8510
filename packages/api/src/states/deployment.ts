/**
 * Statuses and phases of a deployment, and the actions that are possible in each status. The daemon and all clients use
 * this file.
 */

export const DEPLOYMENT_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['resolving', 'pulling', 'releasing', 'starting', 'checking', 'switching'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/**
 * Map from each status of a deployment to the statuses that can follow it. An empty list means that the status is
 * final.
 */
export const TRANSITIONS = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  skipped: [],
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>;

/**
 * Returns the statuses from which a deployment can change to `to`. An SQL update changes the status only if the current
 * status is one of them.
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
   * Whether a deployment can be canceled. Canceling is impossible during the traffic switch, which takes only seconds.
   * Users can roll back afterwards.
   */
  cancel: (d: DeploymentState): boolean =>
    d.status === 'pending' || (d.status === 'running' && d.phase !== 'switching'),
  /**
   * Whether users can roll back to the release of the deployment. If the deployment did not succeed, its release never
   * received requests.
   */
  rollBackTo: (d: DeploymentState): boolean => d.status === 'succeeded',
} as const;
