/** Whether a session was begun without TLS: it is then bound to the address that it was begun from. */
export const plainSessions = `
ALTER TABLE sessions ADD COLUMN is_plain INTEGER NOT NULL DEFAULT 0 CHECK (is_plain IN (0, 1));
`;
