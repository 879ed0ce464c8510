/**
 * Adds the column `is_plain` to `sessions`. It is 1 if the session was started without TLS. Such a session is valid
 * only from the IP address from which it was started.
 */
export const plainSessions = `
ALTER TABLE sessions ADD COLUMN is_plain INTEGER NOT NULL DEFAULT 0 CHECK (is_plain IN (0, 1));
`;
