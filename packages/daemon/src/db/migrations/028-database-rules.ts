/**
 * Access rules for the logins of databases. Existing databases have the rules of earlier Davit versions, which have
 * version 0.
 */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
