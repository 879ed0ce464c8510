/**
 * Creates the table for the contents of apps' configuration files. The contents are encrypted. They are stored
 * separately from the settings of the app, because all users of a project may read these settings. Settings and
 * revisions refer to a version of a file. The content of a version never changes. All versions are deleted with the
 * app.
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
