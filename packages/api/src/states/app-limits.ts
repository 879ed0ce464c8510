/** Limits and lists of app settings. This module loads no schemas, so that the dashboard can use it without them. */

/**
 * Default maximum number of processes and threads in all replicas of a release together. A higher limit in the
 * project's quota replaces this default.
 */
export const APP_PIDS = 4_096;

/**
 * Returns the maximum number of processes and threads of all replicas of an app together.
 * @param quotaPids `pids` quota of the project, or `null` if there is none
 */
export function mostProcesses(quotaPids: number | null | undefined): number {
  return Math.max(APP_PIDS, quotaPids ?? 0);
}

/** Minimum of the limit of processes and threads per replica. */
export const FEWEST_PIDS = 16;

/**
 * Maximum number of replicas per app. The Docker network of an environment has 230 IP addresses for the replicas of all
 * apps.
 */
export const MAX_REPLICAS = 100;

/**
 * Settings that belong to the app and not to a release. A deployment uses their current values, even if it deploys an
 * earlier revision.
 */
export const SETTINGS_OF_THE_APP: readonly string[] = ['scale', 'limits', 'labels'];
