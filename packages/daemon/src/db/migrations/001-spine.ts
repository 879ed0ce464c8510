/**
 * Creates the first tables: settings, users, projects, apps, deployments, replicas and events. Times are in
 * milliseconds since the epoch.
 *
 * Some ids are part of the names of Docker containers, networks and image tags. The columns of these ids are
 * AUTOINCREMENT, so SQLite never reuses an id. A leftover Docker object therefore cannot have the name of a new object.
 *
 * The column `node` is always `local`, because a Davit instance runs on one server.
 */
export const spine = `
CREATE TABLE settings (
  key TEXT PRIMARY KEY,
  value TEXT NOT NULL
) STRICT;

CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  username TEXT NOT NULL UNIQUE,
  password_hash TEXT NOT NULL,
  role TEXT NOT NULL,
  projects TEXT,
  created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  token_hash TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  seen_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;

CREATE TABLE api_keys (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  key_hash TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  projects TEXT,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  used_at INTEGER
) STRICT;

CREATE TABLE projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  slug TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX projects_slug ON projects (slug) WHERE deleted_at IS NULL;

CREATE TABLE environments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX environments_slug ON environments (project_id, slug) WHERE deleted_at IS NULL;

CREATE TABLE apps (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  spec TEXT NOT NULL,
  revision INTEGER NOT NULL,
  settings_revision INTEGER NOT NULL DEFAULT 1,
  live_deployment INTEGER,
  stopped INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER
) STRICT;
CREATE UNIQUE INDEX apps_name ON apps (environment_id, name) WHERE deleted_at IS NULL;
CREATE INDEX apps_deleted ON apps (deleted_at) WHERE deleted_at IS NOT NULL;

-- A backend of the proxy: an app keeps its number for life. port NULL: the app's own.
CREATE TABLE routes (
  slot INTEGER PRIMARY KEY,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  port INTEGER,
  protocol TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX routes_target ON routes (app_id, coalesce(port, 0), protocol);

CREATE TABLE domains (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  host TEXT NOT NULL UNIQUE,
  port INTEGER,
  protocol TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX domains_app ON domains (app_id);

CREATE TABLE volumes (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  node TEXT NOT NULL DEFAULT 'local',
  path TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  created_at INTEGER NOT NULL,
  UNIQUE (app_id, path)
) STRICT;

CREATE TABLE tcp_ports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  node TEXT NOT NULL DEFAULT 'local',
  container_port INTEGER NOT NULL,
  host_port INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (node, host_port)
) STRICT;
CREATE INDEX tcp_ports_app ON tcp_ports (app_id);

-- level: project, environment or app; value is sealed.
CREATE TABLE variables (
  level TEXT NOT NULL,
  owner_id INTEGER NOT NULL,
  key TEXT NOT NULL,
  value TEXT NOT NULL,
  secret INTEGER NOT NULL,
  PRIMARY KEY (level, owner_id, key)
) STRICT, WITHOUT ROWID;

-- variables: the effective ones at that moment, sealed as one JSON array.
CREATE TABLE revisions (
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  spec TEXT NOT NULL,
  variables TEXT NOT NULL,
  changed_by TEXT NOT NULL,
  reason TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  PRIMARY KEY (app_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE deployments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  image TEXT NOT NULL,
  image_id TEXT,
  digest TEXT,
  port INTEGER,
  healthcheck INTEGER NOT NULL DEFAULT 0,
  status TEXT NOT NULL,
  phase TEXT,
  revision INTEGER NOT NULL,
  trigger_kind TEXT NOT NULL,
  trigger_by TEXT NOT NULL,
  trigger_via TEXT NOT NULL,
  rollback_of INTEGER,
  superseded_by INTEGER,
  cancel_asked INTEGER NOT NULL DEFAULT 0,
  error TEXT,
  log TEXT,
  created_at INTEGER NOT NULL,
  started_at INTEGER,
  finished_at INTEGER
) STRICT;
CREATE INDEX deployments_app ON deployments (app_id, id);
CREATE INDEX deployments_open ON deployments (status) WHERE status IN ('pending', 'running');

CREATE TABLE deployment_steps (
  deployment_id INTEGER NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  name TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  finished_at INTEGER,
  error TEXT,
  PRIMARY KEY (deployment_id, seq)
) STRICT, WITHOUT ROWID;

-- role: starting, active, draining, gone. An address stays taken until the row goes, which is after the proxy's file
-- has forgotten it.
CREATE TABLE instances (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  deployment_id INTEGER NOT NULL REFERENCES deployments (id) ON DELETE CASCADE,
  environment_id INTEGER NOT NULL REFERENCES environments (id) ON DELETE CASCADE,
  node TEXT NOT NULL DEFAULT 'local',
  ordinal INTEGER NOT NULL,
  name TEXT NOT NULL UNIQUE,
  address TEXT NOT NULL,
  container_id TEXT,
  role TEXT NOT NULL,
  kept INTEGER NOT NULL DEFAULT 0,
  observed TEXT NOT NULL DEFAULT 'unknown',
  restarts INTEGER NOT NULL DEFAULT 0,
  started_at INTEGER,
  drain_until INTEGER,
  UNIQUE (environment_id, node, address)
) STRICT;
CREATE INDEX instances_app ON instances (app_id);
CREATE INDEX instances_deployment ON instances (deployment_id);

-- Written in the transaction of the change it tells of: nothing is announced that was not committed.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  at INTEGER NOT NULL,
  kind TEXT NOT NULL,
  app_id INTEGER,
  deployment_id INTEGER,
  data TEXT NOT NULL
) STRICT;
`;
