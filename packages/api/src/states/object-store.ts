/**
 * Status of an object store. The daemon does not store the status, but calculates it from the object store's record and
 * container.
 */

/** Status of an object store. All values except `linked` are for managed object stores. */
export const OBJECT_STORE_STATUSES = [
  /** The object store runs outside this instance. Davit contacts the object store only when it uses it. */
  'linked',
  'provisioning',
  'running',
  'stopped',
  /** The container runs but does not respond, or the container restarts repeatedly. */
  'degraded',
  /** The object store should run but does not. */
  'down',
  /** Davit could not create the object store. */
  'failed',
  'trash',
] as const;
export type ObjectStoreStatus = (typeof OBJECT_STORE_STATUSES)[number];

/**
 * Functions that return whether an action is possible for a status of an object store. A pending or running background
 * task can prevent further actions.
 */
export const canObjectStore = {
  start: (status: ObjectStoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: ObjectStoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether users and apps can access the buckets and objects of the object store. */
  use: (status: ObjectStoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: ObjectStoreStatus): boolean => status === 'trash',
} as const;
