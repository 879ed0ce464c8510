/**
 * Creates the tables of template installations. The row of a resource is inserted before the resource is created. Davit
 * therefore finds the resource even after a crash.
 */
export const installs = `
CREATE TABLE template_installs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  project TEXT NOT NULL,
  environment TEXT NOT NULL,
  -- Of what was there before, or since it was made; null: there is none, or not any more.
  project_id INTEGER,
  -- JSON: what is installed, what was before it, what was asked for besides.
  origin TEXT NOT NULL,
  manifest TEXT NOT NULL,
  names TEXT NOT NULL,
  adopt TEXT NOT NULL,
  answers TEXT NOT NULL,
  previous TEXT,
  -- A newer release that the catalog lists.
  newer TEXT,
  installed_at INTEGER,
  uninstalled_at INTEGER,
  asked_by TEXT NOT NULL,
  asked_via TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE template_resources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  install_id INTEGER NOT NULL REFERENCES template_installs (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  key TEXT,
  name TEXT NOT NULL,
  reference TEXT NOT NULL,
  -- planned, made, adopted, used, kept
  state TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (install_id, kind, reference)
) STRICT;
`;
