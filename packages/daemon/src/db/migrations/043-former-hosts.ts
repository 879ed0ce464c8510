/**
 * All host names that were removed from an app, in lower case, with the time of the last removal. Times are in
 * milliseconds since the epoch. Triggers write the table, so that no code path can forget a removal. A migration that
 * drops the table `domains` also drops the triggers, and must create them again.
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
