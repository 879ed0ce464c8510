/**
 * What was pushed here, a row a tag: the image that was last seen under it, and what became of that. `by`: the account;
 * NULL where nobody told. `reason`: why nothing was deployed, or why it has to wait.
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
