/**
 * Time when a user's list of projects last changed, or 0 if it never changed. Actions of the user before this time may
 * concern other projects.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
