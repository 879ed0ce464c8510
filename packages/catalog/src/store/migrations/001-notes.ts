/**
 * SQLite tables that the indexer writes during an indexing run. The catalog serves this data only after the indexer has
 * published it (see `002-published.ts`).
 */
export const notes = `
  CREATE TABLE repositories (
    -- The host's number.
    id INTEGER PRIMARY KEY,
    node_id TEXT,
    owner TEXT NOT NULL,
    owner_id INTEGER,
    name TEXT NOT NULL,
    -- In lower case.
    owner_key TEXT NOT NULL,
    name_key TEXT NOT NULL,
    description TEXT NOT NULL,
    url TEXT NOT NULL,
    avatar_url TEXT NOT NULL,
    stars INTEGER NOT NULL,
    -- A JSON array, sorted.
    topics TEXT NOT NULL,
    hidden TEXT CHECK (hidden IN ('blocked', 'gone', 'untagged')),
    -- Grows from check to check; among repositories of one name it tells which was told of last.
    checked INTEGER NOT NULL,
    -- Something was noted that is not published.
    is_changed INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX repositories_by_name ON repositories (owner_key, name_key, checked);
  CREATE INDEX repositories_by_check ON repositories (checked);
  CREATE INDEX repositories_changed ON repositories (id) WHERE is_changed = 1;

  -- The long texts of accepted releases, apart from what lists are made of. A row never changes.
  CREATE TABLE contents (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source TEXT NOT NULL,
    readme TEXT NOT NULL,
    -- JSON.
    manifest TEXT NOT NULL
  ) STRICT;

  CREATE TABLE releases (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    repository_id INTEGER NOT NULL REFERENCES repositories,
    tag TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    -- RFC 3339, and the same in seconds since the epoch.
    published_at TEXT NOT NULL,
    published INTEGER NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('accepted', 'rejected')),
    -- A JSON array of diagnostics.
    problems TEXT NOT NULL,
    validator INTEGER NOT NULL,
    -- The next three are of accepted ones.
    manifest_name TEXT,
    icon TEXT,
    content_id INTEGER,
    UNIQUE (repository_id, tag, commit_id)
  ) STRICT;

  CREATE TABLE icons (
    -- SHA-256 of the file as it was published, in hex.
    hash TEXT PRIMARY KEY,
    png BLOB NOT NULL
  ) STRICT;

  CREATE TABLE blocks (
    -- Lower-cased owner, or owner/name.
    subject TEXT PRIMARY KEY,
    reason TEXT NOT NULL
  ) STRICT;
`;
