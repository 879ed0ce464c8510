/** A database's status: derived from what is wanted, what runs of it and what is seen, never stored. */

/**
 * `provisioning`: being made. `running`: it answers. `degraded`: it is up and does not answer, or is restarted over and
 * over. `down`: it should run and does not. `failed`: it could not be made. `trash`: deleted, until its time is over.
 */
export const DATABASE_STATUSES = ['provisioning', 'running', 'stopped', 'degraded', 'down', 'failed', 'trash'] as const;
export type DatabaseStatus = (typeof DATABASE_STATUSES)[number];

/** What may be done with a database in its present state, apart from what a task that is open for it forbids. */
export const canDatabase = {
  start: (status: DatabaseStatus): boolean => status === 'stopped' || status === 'down' || status === 'degraded',
  stop: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  restart: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded' || status === 'down',
  /** Put to use: attached, backed up. */
  use: (status: DatabaseStatus): boolean => status === 'running',
  /** Given another password, also where an app keeps it from answering: that may be why. */
  rotate: (status: DatabaseStatus): boolean => status === 'running' || status === 'degraded',
  restore: (status: DatabaseStatus): boolean => status === 'trash',
} as const;
