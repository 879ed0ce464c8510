/** States of a deployment, their transitions, and the allowed actions. The daemon and all clients use this file. */

export const DEPLOYMENT_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['resolving', 'pulling', 'releasing', 'starting', 'checking', 'switching'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/** Possible next statuses by status. A status without any is final. */
export const TRANSITIONS = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  skipped: [],
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>;

/** Returns the statuses that directly precede `to`. A compare-and-set write expects one of them. */
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

/** Returns which actions the state of a deployment allows. */
export const can = {
  /**
   * A deployment can be canceled until the traffic moves. After that the deployment ends within seconds, and only a
   * rollback restores the old release.
   */
  cancel: (d: DeploymentState): boolean =>
    d.status === 'pending' || (d.status === 'running' && d.phase !== 'switching'),
  /** A rollback is possible only to a release that has received requests. */
  rollBackTo: (d: DeploymentState): boolean => d.status === 'succeeded',
} as const;
