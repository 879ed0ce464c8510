/** An object store's status: derived from what is wanted, what runs of it and what is seen, never stored. */

/**
 * `linked`: somebody else's, and asked only when it is used. The others are those of a managed one. `provisioning`: being
 * made. `running`: it answers. `degraded`: it is up and does not answer, or is restarted over and over. `down`: it should
 * run and does not. `failed`: it could not be made. `trash`: deleted, until its time is over.
 */
export const STORE_STATUSES = [
  'linked',
  'provisioning',
  'running',
  'stopped',
  'degraded',
  'down',
  'failed',
  'trash',
] as const;
export type StoreStatus = (typeof STORE_STATUSES)[number];

/** What may be done with a store in its present state, apart from what a task that is open for it forbids. */
export const canStore = {
  start: (status: StoreStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: StoreStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Asked for buckets and objects. */
  use: (status: StoreStatus): boolean => status === 'linked' || status === 'running' || status === 'degraded',
  restore: (status: StoreStatus): boolean => status === 'trash',
} as const;
