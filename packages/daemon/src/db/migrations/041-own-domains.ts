/**
 * Creates the table of all domains that the Davit instance has had, in lower case, with the time of their first use.
 */
export const ownDomains = `
CREATE TABLE own_domains (
  domain TEXT PRIMARY KEY,
  used_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
