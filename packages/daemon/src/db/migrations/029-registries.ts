/**
 * Adds the error codes of problems with images. Also creates the table of projects that may use the credentials for a
 * registry. The table has at most one row for each registry host and project.
 */
export const registryProjects = `
ALTER TABLE deployments ADD COLUMN error_code TEXT;
ALTER TABLE tasks ADD COLUMN error_code TEXT;

CREATE TABLE registries_with_projects (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  host TEXT NOT NULL,
  all_projects INTEGER NOT NULL CHECK (all_projects IN (0, 1)),
  username TEXT NOT NULL,
  password TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  checked_at INTEGER
) STRICT;
INSERT INTO registries_with_projects (id, host, all_projects, username, password, created_at, updated_at, checked_at)
  SELECT id, host, 1, username, password, created_at, updated_at, checked_at FROM registries;
-- A number is never given again, not even the highest one.
DELETE FROM sqlite_sequence WHERE name = 'registries_with_projects';
INSERT INTO sqlite_sequence (name, seq)
  SELECT 'registries_with_projects', seq FROM sqlite_sequence WHERE name = 'registries';
DROP TABLE registries;
ALTER TABLE registries_with_projects RENAME TO registries;
CREATE UNIQUE INDEX registries_of_all ON registries (host) WHERE all_projects = 1;

CREATE TABLE registry_projects (
  host TEXT NOT NULL,
  project_id INTEGER NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  registry_id INTEGER NOT NULL REFERENCES registries (id) ON DELETE CASCADE,
  PRIMARY KEY (host, project_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX registry_projects_of ON registry_projects (registry_id);
CREATE INDEX registry_projects_in ON registry_projects (project_id);
`;
