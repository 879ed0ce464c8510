/**
 * Adds paths, redirects, proxy rules and basic authentication to domains. Several domains can have the same host, each
 * with another path.
 */
export const edge = `
CREATE TABLE domains_kept (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  app_id INTEGER NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  host TEXT NOT NULL,
  path TEXT NOT NULL DEFAULT '',
  port INTEGER,
  protocol TEXT NOT NULL,
  https TEXT NOT NULL DEFAULT 'auto',
  redirect_to TEXT,
  rules TEXT NOT NULL DEFAULT '{}',
  basic_auth TEXT,
  created_at INTEGER NOT NULL,
  UNIQUE (host, path)
) STRICT;
INSERT INTO domains_kept (id, app_id, host, port, protocol, created_at)
  SELECT id, app_id, host, port, protocol, created_at FROM domains;
DROP TABLE domains;
ALTER TABLE domains_kept RENAME TO domains;
CREATE INDEX domains_app ON domains (app_id);
CREATE INDEX domains_redirect ON domains (redirect_to) WHERE redirect_to IS NOT NULL;
`;
