/**
 * Creates the table of managed database servers. If an environment or project is deleted, its databases stay. A
 * database row therefore stores the names of both. `state` is `making` until the database server first responds, then
 * `made`. If the creation failed and Davit must remove Docker objects, `state` is `failed`. `generation` is the number
 * of the current container, because a database has only one container at a time. `applied` contains the settings of
 * this container. `password`, `admin_password`, `tls` and `other_logins` are encrypted.
 */
export const databases = `
CREATE TABLE databases (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL,
  environment_id INTEGER NOT NULL,
  project TEXT NOT NULL,
  environment TEXT NOT NULL,
  name TEXT NOT NULL,
  engine TEXT NOT NULL,
  version TEXT NOT NULL,
  image TEXT NOT NULL,
  image_id TEXT,
  description TEXT,
  extensions TEXT NOT NULL,
  username TEXT NOT NULL,
  database TEXT,
  password TEXT NOT NULL DEFAULT '',
  admin_password TEXT NOT NULL DEFAULT '',
  tls TEXT NOT NULL DEFAULT '',
  other_logins TEXT,
  options TEXT,
  cpu REAL,
  memory_bytes INTEGER,
  exposed_port INTEGER UNIQUE,
  volume TEXT NOT NULL DEFAULT '',
  wanted TEXT NOT NULL DEFAULT 'running',
  state TEXT NOT NULL DEFAULT 'making',
  generation INTEGER NOT NULL DEFAULT 0,
  address TEXT,
  container_id TEXT,
  applied TEXT,
  observed TEXT NOT NULL DEFAULT 'unknown',
  reason TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  expires_at INTEGER
) STRICT;
CREATE UNIQUE INDEX databases_name ON databases (environment_id, name) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX databases_address ON databases (environment_id, address) WHERE address IS NOT NULL;
`;
