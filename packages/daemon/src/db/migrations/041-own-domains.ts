/**
 * Creates the table of all current and former domains of the Davit instance, in lower case. Each row contains the time
 * when the domain was first used.
 */
export const ownDomains = `
CREATE TABLE own_domains (
  domain TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
