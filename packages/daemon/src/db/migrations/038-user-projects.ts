/**
 * Adds `projects_at` to `users`, the time when the list of a user's projects last changed. Audit rows before this time
 * may be about other projects, so Davit does not show these rows to some users.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
