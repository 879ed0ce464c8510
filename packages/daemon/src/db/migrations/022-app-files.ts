/**
 * Contents of apps' configuration files. They are encrypted and stored separately from the app's settings, which all
 * users of the project may read. Settings and revisions refer to a file by its version. A version never changes, and
 * is deleted with the app.
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
