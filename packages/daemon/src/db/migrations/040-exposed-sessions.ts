/**
 * Mark for sessions whose cookie browsers also send to programs on other ports of the host. Such a session is valid
 * only from its IP address. The mark is unknown for existing sessions, so they are deleted and all users sign in
 * again.
 */
export const exposedSessions = `
ALTER TABLE sessions ADD COLUMN is_exposed INTEGER NOT NULL DEFAULT 0 CHECK (is_exposed IN (0, 1));
DELETE FROM sessions;
`;
