/**
 * Sorted lists of templates, one for each sort order. The full-text index uses a template's rank as the row id, so
 * results have the order of the list.
 */
const order = (name: 'recent' | 'stars') => `
  CREATE TABLE ${name}_places (
    rank INTEGER PRIMARY KEY,
    key INTEGER NOT NULL,
    id INTEGER NOT NULL,
    -- Folded: what is looked for is in one of these.
    name TEXT NOT NULL,
    description TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX ${name}_places_by_key ON ${name}_places (key, id);

  -- What is shown at each place, as JSON of the ListedTemplate: in ranks, so that a page is one piece of the file, and apart,
  -- so that a search goes through texts alone.
  CREATE TABLE ${name}_items (
    rank INTEGER PRIMARY KEY,
    item TEXT NOT NULL
  ) STRICT;

  CREATE TABLE ${name}_topics (
    topic INTEGER NOT NULL,
    key INTEGER NOT NULL,
    id INTEGER NOT NULL,
    PRIMARY KEY (topic, key, id)
  ) STRICT, WITHOUT ROWID;

  CREATE VIRTUAL TABLE ${name}_grams USING
    fts5(grams, content = '', contentless_delete = 1, detail = none, tokenize = 'ascii');
`;

export const orders = `
  ${order('recent')}
  ${order('stars')}

  -- How many listed templates have each gram.
  CREATE TABLE grams (
    gram TEXT PRIMARY KEY,
    templates INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
`;
