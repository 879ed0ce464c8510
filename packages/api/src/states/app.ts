/** Status of an app, derived from the desired and the observed state. The status is never stored. */

export const APP_STATUSES = ['pending', 'running', 'degraded', 'down', 'stopped'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

/**
 * `starting`: checks are running. `ready`: receives requests. `draining`: is being stopped. `down`: should receive
 * requests but cannot.
 */
export const REPLICA_STATES = ['starting', 'ready', 'draining', 'down'] as const;
export type ReplicaState = (typeof REPLICA_STATES)[number];

/** Value that resets the port to the port of the image. In a patch, an absent field would mean no change. */
export const IMAGE_PORT = 'image';

/**
 * Returns the status of an app.
 * @param live states of the replicas of the live release, or `null` if no release was ever live
 * @param scale desired number of replicas
 */
export function appStatus(live: ReplicaState[] | null, scale: number, stopped: boolean): AppStatus {
  if (stopped) return 'stopped';
  if (live === null) return 'pending';
  const ready = live.filter((state) => state === 'ready').length;
  if (ready === 0) return 'down';
  return ready < scale ? 'degraded' : 'running';
}
