/**
 * Adds `allow_config` and `rules` to `databases`. `rules` is the version of the access rules on the database server.
 * Existing databases get the version 0, because they have the access rules of earlier Davit versions.
 */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
