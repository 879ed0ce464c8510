/**
 * Creates tables with a copy of the repositories and tags in the instance's registry. Davit lists images from this
 * copy, so it needs no requests to the registry. The lists also work while the registry is down. If a push moves a tag
 * to another image, the tag gets a new, higher id. The most recently pushed image therefore has the highest id.
 */
export const releases = `
CREATE TABLE release_tags (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  tag TEXT NOT NULL,
  digest TEXT NOT NULL,
  media_type TEXT,
  bytes INTEGER,
  pushed_at INTEGER NOT NULL,
  pushed_by TEXT
) STRICT;
CREATE UNIQUE INDEX release_tags_tag ON release_tags (app_id, tag);
CREATE INDEX release_tags_app ON release_tags (app_id, id);
CREATE INDEX release_tags_unmeasured ON release_tags (id) WHERE bytes IS NULL;
CREATE INDEX deployments_digest ON deployments (app_id, digest, id);

-- name: an app's reference, whether that app is there or not. of_app, of_project: for whom it was when somebody was first
-- let in, whether they are there or not. unowned_since: its app is not. granted_at, push_granted_at: somebody was let in,
-- or let push, and may not be done.
CREATE TABLE repositories (
  name TEXT PRIMARY KEY,
  tags INTEGER NOT NULL DEFAULT 0,
  bytes INTEGER,
  of_app INTEGER,
  of_project INTEGER,
  unowned_since INTEGER,
  granted_at INTEGER,
  push_granted_at INTEGER
) STRICT, WITHOUT ROWID;
`;
