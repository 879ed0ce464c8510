/** An app's status: derived from what is wanted and what is seen, never stored. */

export const APP_STATUSES = ['pending', 'running', 'degraded', 'down', 'stopped'] as const;
export type AppStatus = (typeof APP_STATUSES)[number];

/** `starting`: under check. `ready`: serving. `draining`: retiring. `down`: should serve and does not. */
export const INSTANCE_STATES = ['starting', 'ready', 'draining', 'down'] as const;
export type InstanceState = (typeof INSTANCE_STATES)[number];

/** What leaves the port to the image again: to be absent means in a patch that it stays. */
export const IMAGE_PORT = 'image';

/**
 * @param live the states of the live release's instances; null when no release has ever been live
 * @param scale how many instances there should be
 */
export function appStatus(live: InstanceState[] | null, scale: number, stopped: boolean): AppStatus {
  if (stopped) return 'stopped';
  if (live === null) return 'pending';
  const ready = live.filter((state) => state === 'ready').length;
  if (ready === 0) return 'down';
  return ready < scale ? 'degraded' : 'running';
}
