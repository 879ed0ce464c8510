/** Status of an object store, derived from the desired and the observed state. The status is never stored. */

/**
 * `linked`: run by others and checked only when used. All other values belong to managed stores. `provisioning`: the
 * store is being created. `running`: the store answers. `degraded`: the container runs but does not answer, or restarts
 * repeatedly. `down`: the store should run but does not. `failed`: the creation failed. `trash`: deleted but can be
 * restored.
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

/** Returns which actions the status of a store allows. An open task may forbid further actions. */
export const canObjectStore = {
  start: (status: ObjectStoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: ObjectStoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether buckets and objects can be accessed. */
  use: (status: ObjectStoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: ObjectStoreStatus): boolean => status === 'trash',
} as const;
