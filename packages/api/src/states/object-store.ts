/** Status of an object store. The daemon calculates it from the desired and the actual state and never stores it. */

/**
 * Status of an object store. `linked`: another company or server runs it, and Davit checks it only when it is used. All
 * other values are for managed object stores. `provisioning`: Davit is creating it. `running`: it responds. `degraded`:
 * the container runs but does not respond, or restarts repeatedly. `down`: it should run but does not. `failed`:
 * creating it failed. `trash`: it was deleted and can be restored.
 */
export const OBJECT_STORE_STATUSES = [
  'linked',
  'provisioning',
  'running',
  'stopped',
  'degraded',
  'down',
  'failed',
  'trash',
] as const;
export type ObjectStoreStatus = (typeof OBJECT_STORE_STATUSES)[number];

/**
 * Returns whether the status of an object store allows an action. A pending or running task can forbid more actions.
 */
export const canObjectStore = {
  start: (status: ObjectStoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: ObjectStoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether buckets and objects of the object store can be accessed. */
  use: (status: ObjectStoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: ObjectStoreStatus): boolean => status === 'trash',
} as const;
