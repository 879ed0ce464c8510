/**
 * Quotas of projects; null: no limit. disk_used is what was measured at disk_measured_at, and disk_exceeded is 1 if the
 * last event said that disk_bytes is exceeded. `limits` of instances and runs: JSON of what each container was given,
 * since the settings of its app may change while it runs; null: made before there were quotas, with the limits of its
 * app. `container_limits` of databases and object stores: JSON of what their container has; null: there is no container.
 * Those that are there have the limits on record, unless the engine refused them; it is asked again.
 *
 * The former default was 4,096 processes per replica. Apps with several replicas and this default would now be refused,
 * so they get as many as fit.
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
