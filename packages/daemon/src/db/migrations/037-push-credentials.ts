/**
 * Creates the table of API keys and passwords that got a registry token for an image push. `key_id` is NULL for a
 * password. `user_id` and `key_id` are not foreign keys, because a push may end after the user or API key was deleted.
 * `ends_at` is the time when the API key or password expires, was revoked or was replaced. NULL means that the API key
 * or password is valid and never expires.
 *
 * The table `push_grants` lists the repositories for which a registry token was issued, with the time of the last
 * token.
 */
export const pushCredentials = `
CREATE TABLE push_credentials (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  user_id INTEGER NOT NULL,
  username TEXT NOT NULL,
  key_id INTEGER,
  ends_at INTEGER
) STRICT;
CREATE INDEX push_credentials_user ON push_credentials (user_id, key_id);
CREATE TABLE push_grants (
  repository TEXT NOT NULL,
  credential_id INTEGER NOT NULL REFERENCES push_credentials (id) ON DELETE CASCADE,
  granted_at INTEGER NOT NULL,
  PRIMARY KEY (repository, credential_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX push_grants_credential ON push_grants (credential_id);
`;
