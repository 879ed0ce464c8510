/**
 * Creates the table of object stores. `secret_key` is encrypted. Users and apps of the project `project_id` may use the
 * object store. If `project_id` is NULL, only users with access to all projects see the object store. If `bucket` is
 * set, the access key can use only this bucket.
 *
 * The columns from `environment_id` on are only for managed object stores. `state` is `making` until the server first
 * responds, then `made`. If the creation failed, `state` is `failed`. `generation` is the number of the current
 * container. `applied` contains the settings of this container. `volume` is the name of the Docker volume.
 */
export const stores = `
CREATE TABLE object_stores (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  kind TEXT NOT NULL,
  description TEXT NOT NULL,
  provider TEXT,
  project_id INTEGER REFERENCES projects (id),
  endpoint TEXT NOT NULL,
  public_endpoint TEXT,
  region TEXT NOT NULL,
  path_style INTEGER NOT NULL,
  bucket TEXT,
  access_key TEXT NOT NULL,
  secret_key TEXT NOT NULL,
  checked_at INTEGER,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  environment_id INTEGER REFERENCES environments (id),
  version TEXT,
  image TEXT,
  cpu REAL,
  memory_bytes INTEGER,
  wanted TEXT,
  state TEXT,
  generation INTEGER NOT NULL DEFAULT 0,
  volume TEXT,
  address TEXT,
  container_id TEXT,
  image_id TEXT,
  applied TEXT,
  observed TEXT,
  reason TEXT,
  port INTEGER UNIQUE,
  deleted_at INTEGER,
  expires_at INTEGER,
  CHECK ((kind = 'managed') = (environment_id IS NOT NULL))
) STRICT;
CREATE INDEX object_stores_project ON object_stores (project_id);
CREATE UNIQUE INDEX object_stores_address ON object_stores (environment_id, address) WHERE address IS NOT NULL;
`;
