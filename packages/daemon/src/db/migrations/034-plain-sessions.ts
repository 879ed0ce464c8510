/**
 * Adds the column `is_plain` to `sessions`. The value is 1 if the user signed in without TLS. Such a session is valid
 * only for requests from the IP address of the sign-in.
 */
export const plainSessions = `
ALTER TABLE sessions ADD COLUMN is_plain INTEGER NOT NULL DEFAULT 0 CHECK (is_plain IN (0, 1));
`;
