/**
 * Adds columns and a table for user accounts, and creates the tables of the audit log. The table `audit` has no foreign
 * keys, because its rows must remain after users and projects are deleted. The only row of the table `audit_head`
 * contains the first and the last hash of the hash chain. It also contains an HMAC of both hashes, which only a program
 * with the master key can create.
 */
export const accounts = `
ALTER TABLE users ADD COLUMN blocked INTEGER NOT NULL DEFAULT 0;

ALTER TABLE sessions ADD COLUMN address TEXT;
ALTER TABLE sessions ADD COLUMN user_agent TEXT;
CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX api_keys_user ON api_keys (user_id);

-- Where a user has signed in from: what guessing elsewhere cannot shut out.
CREATE TABLE sign_in_networks (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  network TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  PRIMARY KEY (user_id, network)
) STRICT, WITHOUT ROWID;

-- project_id NULL: of no project; 0: of a project that there is not. times: how many requests the row stands for.
CREATE TABLE audit (
  id INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT,
  key_id INTEGER,
  key_name TEXT,
  via TEXT NOT NULL,
  ip TEXT NOT NULL,
  operation TEXT NOT NULL,
  target TEXT NOT NULL,
  project_id INTEGER,
  outcome TEXT NOT NULL,
  status INTEGER NOT NULL,
  times INTEGER NOT NULL,
  request_id TEXT,
  hash TEXT NOT NULL
) STRICT;

-- pruned: the last row that was removed for its age. mac empty: not begun yet.
CREATE TABLE audit_head (
  one INTEGER PRIMARY KEY CHECK (one = 1),
  last_id INTEGER NOT NULL,
  last_hash TEXT NOT NULL,
  pruned_id INTEGER NOT NULL,
  pruned_hash TEXT NOT NULL,
  broken_at INTEGER,
  mac TEXT NOT NULL
) STRICT;
INSERT INTO audit_head VALUES (1, 0, '', 0, '', NULL, '');
`;
