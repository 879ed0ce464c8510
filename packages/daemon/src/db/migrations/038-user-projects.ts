/**
 * Adds `projects_at` to `users`, the time when the list of a user's projects last changed. Older audit rows may be
 * about other projects, so Davit hides these rows from some users.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
