/** Status of a database, derived from the desired and the observed state. The status is never stored. */

/**
 * `provisioning`: the database is being created. `running`: the database answers. `degraded`: the container runs but
 * does not answer, or restarts repeatedly. `down`: the database should run but does not. `failed`: the creation failed.
 * `trash`: deleted but can be restored.
 */
export const DATABASE_STATUSES = ['provisioning', 'running', 'stopped', 'degraded', 'down', 'failed', 'trash'] as const;
export type DatabaseStatus = (typeof DATABASE_STATUSES)[number];

/** Returns which actions the status of a database allows. An open task may forbid further actions. */
export const canDatabase = {
  start: (status: DatabaseStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  restart: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether the database can be attached and backed up. */
  use: (status: DatabaseStatus): boolean => status === 'running',
  /**
   * Whether the password can be changed. This includes a degraded database, because an app with the old password may
   * overload it.
   */
  rotate: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded',
  restore: (status: DatabaseStatus): boolean => status === 'trash',
} as const;
