/**
 * Whether browsers also send a session to programs on other ports of the host: it is then bound to its address. Of earlier
 * sessions this is not recorded, nor for all of them whether they were begun without TLS, so all users sign in again.
 */
export const exposedSessions = `
ALTER TABLE sessions ADD COLUMN is_exposed INTEGER NOT NULL DEFAULT 0 CHECK (is_exposed IN (0, 1));
DELETE FROM sessions;
`;
