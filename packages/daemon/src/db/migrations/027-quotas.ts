/**
 * Creates the table of project quotas. A limit of NULL means unlimited. `disk_used` was measured at `disk_measured_at`.
 * `disk_exceeded` is 1 if the last event reported that the disk limit is exceeded.
 *
 * Adds the JSON column `limits` to replicas and runs. It contains the limits with which the container was created. The
 * settings of the app are not enough, because they may change later. If the column is NULL, the container is older than
 * this column and has the limits of its app.
 *
 * Adds the JSON column `container_limits` to databases and object stores. It contains the actual limits of the
 * container, or NULL if there is no container. For existing containers, `confirmed` is false, so Davit sets the stored
 * limits again.
 *
 * Formerly, the default limit of 4,096 processes applied to each replica. The limit now applies to all replicas of an
 * app together. Apps with several replicas and the default limit therefore get a lower limit for each replica.
 */
export const quotas = `
CREATE TABLE project_quotas (
  project_id INTEGER PRIMARY KEY REFERENCES projects (id) ON DELETE CASCADE,
  replicas INTEGER,
  memory_bytes INTEGER,
  cpu REAL,
  pids INTEGER,
  volumes INTEGER,
  databases INTEGER,
  disk_bytes INTEGER,
  disk_used INTEGER,
  disk_measured_at INTEGER,
  disk_exceeded INTEGER NOT NULL DEFAULT 0
) STRICT;
ALTER TABLE instances ADD COLUMN limits TEXT;
ALTER TABLE runs ADD COLUMN limits TEXT;
ALTER TABLE databases ADD COLUMN container_limits TEXT;
ALTER TABLE object_stores ADD COLUMN container_limits TEXT;
UPDATE databases SET container_limits =
  json_object('cpu', cpu, 'memory_bytes', memory_bytes, 'pids', 0, 'confirmed', json('false'))
  WHERE container_id IS NOT NULL;
UPDATE object_stores SET container_limits =
  json_object('cpu', cpu, 'memory_bytes', memory_bytes, 'pids', 0, 'confirmed', json('false'))
  WHERE container_id IS NOT NULL;
UPDATE apps SET spec = json_set(spec, '$.limits.pids', max(16, min(512, 4096 / json_extract(spec, '$.scale'))))
  WHERE json_extract(spec, '$.limits.pids') = 4096 AND json_extract(spec, '$.scale') > 1;
UPDATE revisions SET spec = json_set(spec, '$.limits.pids', max(16, min(512, 4096 / json_extract(spec, '$.scale'))))
  WHERE json_extract(spec, '$.limits.pids') = 4096 AND json_extract(spec, '$.scale') > 1;
`;
