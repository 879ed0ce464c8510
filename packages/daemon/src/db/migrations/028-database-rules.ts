/**
 * Adds `allow_config` and `rules` to `databases`. Existing databases get the version 0 of `rules`, because they have
 * access rules of earlier Davit versions.
 */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
