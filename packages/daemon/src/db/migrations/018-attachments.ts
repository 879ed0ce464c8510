/**
 * Creates the table of attachments, which connect apps to databases and object stores. The environment variables of an
 * attachment are not stored, but computed from the database or object store.
 */
export const attachments = `
CREATE TABLE attachments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  kind TEXT NOT NULL,
  database_id INTEGER REFERENCES databases (id) ON DELETE CASCADE,
  store_id INTEGER,
  bucket TEXT,
  prefix TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  CHECK ((kind = 'database') = (database_id IS NOT NULL)),
  CHECK ((kind = 'bucket') = (store_id IS NOT NULL AND bucket IS NOT NULL))
) STRICT;
CREATE UNIQUE INDEX attachments_database ON attachments (app_id, database_id) WHERE database_id IS NOT NULL;
CREATE UNIQUE INDEX attachments_bucket ON attachments (app_id, store_id, bucket) WHERE store_id IS NOT NULL;
CREATE INDEX attachments_of_database ON attachments (database_id);
CREATE INDEX attachments_of_store ON attachments (store_id);
`;
