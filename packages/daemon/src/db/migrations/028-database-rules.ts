/**
 * Adds two columns to `databases`. `allow_config` permits the Redis command `CONFIG`. `rules` is the version of the
 * access rules on the database server. It is 0 for existing database servers, because they have the rules of earlier
 * Davit versions.
 */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
