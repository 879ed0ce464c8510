/** What the logins of databases may do. Those that are there have the rules of earlier versions, which have number 0. */
export const databaseRules = `
ALTER TABLE databases ADD COLUMN allow_config INTEGER NOT NULL DEFAULT 0 CHECK (allow_config IN (0, 1));
ALTER TABLE databases ADD COLUMN rules INTEGER NOT NULL DEFAULT 0;
`;
