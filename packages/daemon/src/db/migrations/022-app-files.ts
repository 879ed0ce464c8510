/**
 * Creates the table for the contents of apps' configuration files. The contents are encrypted and stored separately
 * from the settings, because all users of a project may read the settings of its apps. Settings and revisions refer to
 * a file by its version, whose content never changes. All versions are deleted with the app.
 */
export const appFiles = `
CREATE TABLE app_files (
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  version TEXT NOT NULL,
  bytes INTEGER NOT NULL,
  content TEXT NOT NULL,
  PRIMARY KEY (app_id, version)
) STRICT, WITHOUT ROWID;
UPDATE apps SET spec = json_set(spec, '$.files', json('[]'));
UPDATE revisions SET spec = json_set(spec, '$.files', json('[]'));
`;
