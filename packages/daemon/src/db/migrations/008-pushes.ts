/** Creates the table of image pushes. A row contains the last push to a tag, with the image digest and the outcome. */
export const pushes = `
CREATE TABLE pushes (
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  digest TEXT NOT NULL,
  pushed_by TEXT,
  at INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (app_id, tag)
) STRICT, WITHOUT ROWID;
CREATE INDEX pushes_waiting ON pushes (app_id) WHERE outcome = 'waiting';
`;
