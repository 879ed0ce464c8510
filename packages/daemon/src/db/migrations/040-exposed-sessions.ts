/**
 * Adds `is_exposed` to `sessions`. The value is not known for existing sessions. The migration therefore deletes all
 * sessions, and users must sign in again.
 */
export const exposedSessions = `
ALTER TABLE sessions ADD COLUMN is_exposed INTEGER NOT NULL DEFAULT 0 CHECK (is_exposed IN (0, 1));
DELETE FROM sessions;
`;
