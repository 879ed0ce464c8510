/**
 * Adds the column `is_exposed` to `sessions`. It is 1 if browsers also send the session cookie to programs on other
 * ports of the same host. Such a session is valid only from its first IP address. The value is unknown for existing
 * sessions, so this migration deletes all sessions. All users must then sign in again.
 */
export const exposedSessions = `
ALTER TABLE sessions ADD COLUMN is_exposed INTEGER NOT NULL DEFAULT 0 CHECK (is_exposed IN (0, 1));
DELETE FROM sessions;
`;
