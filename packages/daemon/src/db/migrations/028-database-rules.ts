/**
 * Adds two columns to `databases`. `allow_config` permits the Redis command `CONFIG`. `rules` is the version of the
 * access rules on the database server. Existing database servers have the rules of earlier Davit versions, so their
 * value is 0.
 */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
