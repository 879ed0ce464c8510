/** Creates the tables of TLS certificates, ACME accounts, ACME orders and DNS providers. */
export const certificates = `
-- The account at every authority that was ever asked. key: sealed. paused_until: it asked for that, or does not answer.
CREATE TABLE acme_accounts (
  directory TEXT PRIMARY KEY,
  key TEXT NOT NULL,
  url TEXT,
  email TEXT,
  failures INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  paused_until INTEGER
) STRICT;

-- An account elsewhere that an authority wants ours bound to. hmac_key: sealed.
CREATE TABLE acme_bindings (
  directory TEXT PRIMARY KEY,
  kid TEXT NOT NULL,
  hmac_key TEXT NOT NULL
) STRICT;

-- directory: null for one that was uploaded. hosts: JSON. key: sealed.
CREATE TABLE certificates (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL,
  directory TEXT,
  hosts TEXT NOT NULL,
  chain TEXT NOT NULL,
  key TEXT NOT NULL,
  issuer TEXT NOT NULL,
  serial TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  not_before INTEGER NOT NULL,
  not_after INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE certificate_hosts (
  host TEXT NOT NULL,
  certificate_id INTEGER NOT NULL REFERENCES certificates (id) ON DELETE CASCADE,
  PRIMARY KEY (host, certificate_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX certificate_hosts_certificate ON certificate_hosts (certificate_id);

-- How the ordering for a name goes. renew: 1 when somebody wants a new one now. asked_at: when a default host was first
-- asked for or found to resolve here.
CREATE TABLE certificate_names (
  name TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  failures INTEGER NOT NULL DEFAULT 0,
  problem TEXT,
  next_try_at INTEGER,
  renew INTEGER NOT NULL DEFAULT 0,
  asked_at INTEGER
) STRICT;

-- What was asked of authorities: what their limits are counted from. renewal: 1 when there was one for the name before.
CREATE TABLE certificate_orders (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  directory TEXT NOT NULL,
  name TEXT NOT NULL,
  renewal INTEGER NOT NULL,
  outcome TEXT NOT NULL,
  problem TEXT,
  started_at INTEGER NOT NULL,
  finished_at INTEGER
) STRICT;
CREATE INDEX certificate_orders_time ON certificate_orders (directory, started_at);
CREATE INDEX certificate_orders_name ON certificate_orders (directory, name, started_at);

CREATE TABLE acme_challenges (
  token TEXT PRIMARY KEY,
  answer TEXT NOT NULL
) STRICT;

-- credentials: sealed JSON of variables. variables: their names, JSON. domains: JSON.
CREATE TABLE dns_providers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL UNIQUE,
  provider TEXT NOT NULL,
  credentials TEXT NOT NULL,
  variables TEXT NOT NULL,
  domains TEXT NOT NULL,
  check_propagation INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL
) STRICT;
`;
