/** Status of a database. The daemon calculates it from the desired and the actual state and never stores it. */

/**
 * Status of a database. `provisioning`: Davit is creating the database. `running`: the database responds. `degraded`:
 * the container runs but the database does not respond, or the container restarts repeatedly. `down`: the database
 * should run but does not. `failed`: creating the database failed. `trash`: the database was deleted and can be
 * restored.
 */
export const DATABASE_STATUSES = ['provisioning', 'running', 'stopped', 'degraded', 'down', 'failed', 'trash'] as const;
export type DatabaseStatus = (typeof DATABASE_STATUSES)[number];

/** Returns whether the status of a database allows an action. A pending or running task can forbid more actions. */
export const canDatabase = {
  start: (status: DatabaseStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  restart: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether apps can be attached to the database and the database can be backed up. */
  use: (status: DatabaseStatus): boolean => status === 'running',
  /**
   * Whether the password of the database can be changed. Also allowed for a degraded database, because an app with the
   * old password may be overloading it.
   */
  rotate: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded',
  restore: (status: DatabaseStatus): boolean => status === 'trash',
} as const;
