/**
 * The states of a deployment, their transitions, and what may be done in each: shared by the daemon's guards and by
 * every client's buttons.
 */

export const DEPLOYMENT_STATUSES = ['pending', 'running', 'succeeded', 'failed', 'cancelled', 'skipped'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

export const DEPLOYMENT_PHASES = ['resolving', 'pulling', 'releasing', 'starting', 'checking', 'switching'] as const;
export type DeploymentPhase = (typeof DEPLOYMENT_PHASES)[number];

/** From each status, the ones that may follow. A status without successors is terminal. */
export const TRANSITIONS = {
  pending: ['running', 'failed', 'cancelled'],
  running: ['succeeded', 'failed', 'cancelled'],
  succeeded: [],
  failed: [],
  cancelled: [],
  skipped: [],
} as const satisfies Record<DeploymentStatus, readonly DeploymentStatus[]>;

/** The statuses from which `to` can be reached in one step: what a compare-and-set write expects to find. */
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

/** What may be done with a deployment in its present state. */
export const can = {
  /** Until the traffic moves. From then on the deploy ends by itself within seconds, and a rollback is the way back. */
  cancel: (d: DeploymentState): boolean =>
    d.status === 'pending' || (d.status === 'running' && d.phase !== 'switching'),
  /** Only a release that has served can be gone back to. */
  rollBackTo: (d: DeploymentState): boolean => d.status === 'succeeded',
} as const;
