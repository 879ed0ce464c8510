/**
 * Creates the tables of backups, backup schedules and archived WAL segments. A backup stays after its database is
 * deleted. Its row therefore has no foreign keys, and contains all data that is needed to create a new database.
 * `destination` is the storage location as JSON. `details` contains the settings for a new database as JSON. `facts` is
 * JSON that the backup tool recorded. For a base backup, `facts` includes the WAL segment at which recovery starts.
 */
export const backups = `
CREATE TABLE backups (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL,
  project_id INTEGER NOT NULL,
  database TEXT NOT NULL,
  engine TEXT NOT NULL,
  version TEXT NOT NULL,
  details TEXT NOT NULL,
  kind TEXT NOT NULL DEFAULT 'dump',
  origin TEXT NOT NULL,
  status TEXT NOT NULL DEFAULT 'taking',
  error TEXT,
  destination TEXT NOT NULL,
  key TEXT NOT NULL DEFAULT '',
  size_bytes INTEGER,
  dump_bytes INTEGER,
  facts TEXT,
  verified_at INTEGER,
  verify_error TEXT,
  task_id INTEGER,
  by TEXT NOT NULL,
  via TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX backups_database ON backups (database_id, id);
CREATE INDEX backups_project ON backups (project_id, id);

CREATE TABLE backup_schedules (
  database_id INTEGER PRIMARY KEY,
  cron TEXT NOT NULL,
  time_zone TEXT NOT NULL,
  keep INTEGER NOT NULL,
  destination TEXT NOT NULL,
  verify_every_days INTEGER,
  point_in_time INTEGER NOT NULL DEFAULT 0,
  next_at INTEGER,
  missed TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

-- Pieces of a database's log that arrived at the destination, in the order of their names; at: until when they tell.
CREATE TABLE backup_segments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  database_id INTEGER NOT NULL,
  name TEXT NOT NULL,
  destination TEXT NOT NULL,
  key TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (database_id, name)
) STRICT;
`;
