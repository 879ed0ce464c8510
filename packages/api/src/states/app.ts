/** Status of an app. The daemon does not store the status, but calculates it from the app's settings and replicas. */

export const APP_STATUSES = ['pending', 'running', 'degraded', 'down', 'stopped'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

/**
 * State of a replica. `starting`: health checks are running. `draining`: Davit is stopping the replica. `down`: the
 * replica should receive requests but cannot.
 */
export const REPLICA_STATES = ['starting', 'ready', 'draining', 'down'] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];

/** Value of the setting `port` that means the port of the app's image (default). With `null`, the app has no port. */
export const IMAGE_PORT = 'image';

/**
 * Returns the status of an app.
 * @param live states of the replicas that should receive requests. `null` if the app was never deployed
 * @param scale desired number of replicas
 */
export function appStatus(live: ReplicaState[] | null, scale: number, stopped: boolean): AppStatus {
  if (stopped) return 'stopped';
  if (live === null) return 'pending';
  const ready = live.filter((state) => state === 'ready').length;
  if (ready === 0) return 'down';
  return ready < scale ? 'degraded' : 'running';
}
