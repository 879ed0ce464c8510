/** Statuses and phases of a deployment, and the actions that they allow. The daemon and all clients use this file. */

export const DEPLOYMENT_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['resolving', 'pulling', 'releasing', 'starting', 'checking', 'switching'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/** Allowed next statuses of a deployment, by status. An empty list means that the status is final. */
export const TRANSITIONS = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  skipped: [],
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>;

/**
 * Returns the statuses from which a deployment can change to `to`. An update in the database compares the current
 * status with them.
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

/** Returns whether the status of a deployment allows an action. */
export const can = {
  /**
   * Whether a deployment can be canceled: only before the traffic is switched to the new release. After that, the
   * deployment ends within seconds, and a rollback restores the old release.
   */
  cancel: (d: DeploymentState): boolean =>
    d.status === 'pending' || (d.status === 'running' && d.phase !== 'switching'),
  /** Whether a rollback to the deployment is possible: only if its release has received requests. */
  rollBackTo: (d: DeploymentState): boolean => d.status === 'succeeded',
} as const;
