/**
 * Creates the table of host names that were removed from apps. Triggers on the table `domains` write its rows. A
 * migration that drops `domains` must create these triggers again.
 */
export const formerHosts = `
CREATE TABLE former_hosts (
  host TEXT PRIMARY KEY,
  removed_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TRIGGER domains_deleted AFTER DELETE ON domains BEGIN
  INSERT INTO former_hosts (host, removed_at) VALUES (lower(OLD.host), unixepoch() * 1000)
    ON CONFLICT (host) DO UPDATE SET removed_at = excluded.removed_at;
END;
CREATE TRIGGER domains_host_changed AFTER UPDATE OF host ON domains WHEN NEW.host <> OLD.host BEGIN
  INSERT INTO former_hosts (host, removed_at) VALUES (lower(OLD.host), unixepoch() * 1000)
    ON CONFLICT (host) DO UPDATE SET removed_at = excluded.removed_at;
END;
`;
