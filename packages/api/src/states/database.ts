/**
 * Status of a database. The daemon does not store the status, but calculates it from the database's record and
 * container.
 */

/**
 * Status of a database. `degraded`: the database does not respond, or its container restarts repeatedly. `down`: the
 * database should run but does not. `failed`: Davit could not create the database.
 */
export const DATABASE_STATUSES = ['provisioning', 'running', 'stopped', 'degraded', 'down', 'failed', 'trash'] as const;
export type DatabaseStatus = (typeof DATABASE_STATUSES)[number];

/**
 * Functions that return whether an action is possible for a status of a database. A pending or running background task
 * can prevent further actions.
 */
export const canDatabase = {
  start: (status: DatabaseStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  restart: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Whether users can attach apps to the database and back it up. */
  use: (status: DatabaseStatus): boolean => status === 'running',
  /**
   * Whether users can change the database password. This is possible for the status `degraded`, because a new password
   * locks out an app that overloads the database.
   */
  rotate: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded',
  restore: (status: DatabaseStatus): boolean => status === 'trash',
} as const;
