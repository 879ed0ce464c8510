/**
 * push_credentials: an API key or a password that got a token for a push. A password has no `key_id`. `user_id` and `key_id` refer
 * to no row, because a push may end after the user or the key was deleted. ends_at: when the credential expires, was revoked or
 * was replaced. NULL: it is valid. push_grants: the repositories of these tokens, with the time of the last one.
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
