/**
 * Pushes, one row for each tag, with the last seen image and the outcome. `pushed_by` is the user, or `NULL` if the user
 * is unknown. `reason` says why a push was not deployed, or why it waits.
 */
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
