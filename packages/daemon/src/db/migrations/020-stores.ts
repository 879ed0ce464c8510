/**
 * Object stores. secret_key: sealed. project_id: whose members see it and whose apps use it; null: of who sees every
 * project. bucket: the one that its keys are for. From environment_id on of managed ones alone: `wanted` is running or
 * stopped; `state` is making until it first answered, then made, or failed; `generation` numbers its containers, of which
 * there is one at a time, and `applied` is what that one was made with; volume is the engine's name of its data.
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
