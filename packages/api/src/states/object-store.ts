/**
 * Status of an object store. The daemon never stores the status. It calculates the status from the object store's
 * record and container.
 */

/**
 * Status of an object store. `linked`: the object store runs outside this instance, and Davit checks it only when it is
 * used. All other values are for managed object stores. `provisioning`: Davit is creating the object store. `running`:
 * the object store responds. `degraded`: the container runs but does not respond, or restarts repeatedly. `down`: the
 * object store should run but does not. `failed`: creating the object store failed. `trash`: the object store was
 * deleted and can be restored.
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
 * Functions that return whether an action is possible with a given status of an object store. While a background task
 * for the object store is pending or running, fewer actions are possible.
 */
export const canObjectStore = {
  start: (status: ObjectStoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: ObjectStoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether users and apps can access the buckets and objects of the object store. */
  use: (status: ObjectStoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: ObjectStoreStatus): boolean => status === 'trash',
} as const;
