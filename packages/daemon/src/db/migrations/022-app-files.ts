/**
 * What files of apps hold, sealed and apart from the settings, which everybody reads who sees the app. Settings and
 * revisions name a version; one never changes, and lives as long as the revisions of its app.
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
