/**
 * Status of a database. The daemon never stores the status. It calculates the status from the database's record and
 * container.
 */

/**
 * Status of a database. `provisioning`: Davit is creating the database. `running`: the database responds. `degraded`:
 * the container runs but the database does not respond, or the container restarts repeatedly. `down`: the database
 * should run but does not. `failed`: creating the database failed. `trash`: the database was deleted and can be
 * restored.
 */
export const DATABASE_STATUSES = ['provisioning', 'running', 'stopped', 'degraded', 'down', 'failed', 'trash'] as const;
export type DatabaseStatus = (typeof DATABASE_STATUSES)[number];

/**
 * Functions that return whether an action is possible with a given status of a database. While a background task for
 * the database is pending or running, fewer actions are possible.
 */
export const canDatabase = {
  start: (status: DatabaseStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  restart: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether users can attach apps to the database and back it up. */
  use: (status: DatabaseStatus): boolean => status === 'running',
  /**
   * Whether users can change the database password. They can also change it if the status is `degraded`. A database can
   * be `degraded` because an app overloads it, and a new password locks out that app.
   */
  rotate: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded',
  restore: (status: DatabaseStatus): boolean => status === 'trash',
} as const;
