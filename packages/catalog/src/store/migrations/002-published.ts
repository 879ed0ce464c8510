/**
 * SQLite tables that the catalog server reads. In one transaction, the indexer copies its data to these tables. Hidden
 * Git repositories are not copied.
 */
export const published = `
  -- One row, from the first publication on.
  CREATE TABLE indexes (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    number INTEGER NOT NULL,
    -- How many are listed: to count them would be to read all their rows.
    templates INTEGER NOT NULL
  ) STRICT;

  -- The last pass that ended: one row.
  CREATE TABLE passes (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- JSON of a PassReport.
    report TEXT NOT NULL
  ) STRICT;

  CREATE TABLE published_repositories (
    id INTEGER PRIMARY KEY,
    owner_key TEXT NOT NULL,
    name_key TEXT NOT NULL,
    checked INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX published_repositories_by_name ON published_repositories (owner_key, name_key, checked);

  CREATE TABLE published_releases (
    id INTEGER PRIMARY KEY,
    repository_id INTEGER NOT NULL,
    tag TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    name TEXT NOT NULL,
    url TEXT NOT NULL,
    published_at TEXT NOT NULL,
    published INTEGER NOT NULL,
    status TEXT NOT NULL,
    problems TEXT NOT NULL,
    icon TEXT,
    content_id INTEGER
  ) STRICT;
  CREATE INDEX published_releases_newest ON published_releases (repository_id, published, id);

  -- The rows of listings, one for each repository with an accepted release.
  CREATE TABLE templates (
    id INTEGER PRIMARY KEY,
    owner TEXT NOT NULL,
    owner_id INTEGER,
    name TEXT NOT NULL,
    description TEXT NOT NULL,
    url TEXT NOT NULL,
    avatar_url TEXT NOT NULL,
    stars INTEGER NOT NULL,
    topics TEXT NOT NULL,
    manifest_name TEXT,
    release_id INTEGER NOT NULL,
    tag TEXT NOT NULL,
    commit_id TEXT NOT NULL,
    release_name TEXT NOT NULL,
    release_url TEXT NOT NULL,
    published_at TEXT NOT NULL,
    published INTEGER NOT NULL
  ) STRICT;

  -- The topics of listed templates, with how many carry each.
  CREATE TABLE topics (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    topic TEXT NOT NULL UNIQUE,
    templates INTEGER NOT NULL
  ) STRICT;
`;
