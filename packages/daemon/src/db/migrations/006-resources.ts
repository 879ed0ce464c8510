/**
 * Creates the tables of volumes, registry credentials and pulled images. If an app is deleted, its volumes are kept.
 * The row of a volume therefore also stores the app's name and the project whose users can see the volume.
 * `deployments.mounts` contains the volumes and published ports of a deployment as JSON. The column is NULL until Davit
 * has determined the volumes and ports.
 */
export const resources = `
CREATE TABLE volumes_kept (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER REFERENCES apps (id) ON DELETE SET NULL,
  project_id INTEGER NOT NULL,
  app TEXT NOT NULL,
  node TEXT NOT NULL DEFAULT 'local',
  path TEXT NOT NULL,
  name TEXT NOT NULL UNIQUE,
  state TEXT NOT NULL DEFAULT 'used',
  created_at INTEGER NOT NULL,
  expires_at INTEGER
) STRICT;
INSERT INTO volumes_kept (id, app_id, project_id, app, node, path, name, created_at)
  SELECT v.id, v.app_id, e.project_id, p.slug || '/' || e.slug || '/' || a.name, v.node, v.path, v.name, v.created_at
    FROM volumes v JOIN apps a ON a.id = v.app_id JOIN environments e ON e.id = a.environment_id
    JOIN projects p ON p.id = e.project_id;
DROP TABLE volumes;
ALTER TABLE volumes_kept RENAME TO volumes;
CREATE UNIQUE INDEX volumes_path ON volumes (app_id, path) WHERE state = 'used';
CREATE INDEX volumes_expiry ON volumes (expires_at) WHERE state = 'trash';

ALTER TABLE deployments ADD COLUMN mounts TEXT;

-- password is sealed.
CREATE TABLE registries (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  host TEXT NOT NULL UNIQUE,
  username TEXT NOT NULL,
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checked_at INTEGER
) STRICT;

-- Names of images that the engine did not have before this instance pulled them. image_id NULL: the pull has begun.
CREATE TABLE pulled_images (
  reference TEXT PRIMARY KEY,
  image_id TEXT,
  pulled_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

UPDATE apps SET spec = json_set(spec, '$.labels', json('{}')) WHERE json_type(spec, '$.labels') IS NULL;
UPDATE revisions SET spec = json_set(spec, '$.labels', json('{}')) WHERE json_type(spec, '$.labels') IS NULL;
`;
