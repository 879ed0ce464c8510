/**
 * Adds `projects_at` to `users`. Audit rows from before this time may be about other projects, so Davit hides them from
 * some users.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
