/**
 * Status of an object store. The daemon never stores the status. It calculates the status from the object store's
 * record and container.
 */

/** Status of an object store. All values except `linked` are for managed object stores. */
export const OBJECT_STORE_STATUSES = [
  /** The object store runs outside this instance. Davit checks the object store only when using it. */
  'linked',
  'provisioning',
  'running',
  'stopped',
  /** The container runs but does not respond, or restarts repeatedly. */
  'degraded',
  /** The object store should run but does not. */
  'down',
  /** Davit could not create the object store. */
  'failed',
  'trash',
] as const;
export type ObjectStoreStatus = (typeof OBJECT_STORE_STATUSES)[number];

/**
 * Whether an action is possible with a status of an object store. A pending or running background task allows fewer
 * actions.
 */
export const canObjectStore = {
  start: (status: ObjectStoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: ObjectStoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether users and apps can access the buckets and objects of the object store. */
  use: (status: ObjectStoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: ObjectStoreStatus): boolean => status === 'trash',
} as const;
