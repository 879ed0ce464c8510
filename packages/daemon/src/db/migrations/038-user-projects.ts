/**
 * Adds the column `projects_at` to `users`. It is the time when the user's list of projects last changed, or 0 if it
 * never changed. Audit rows from before this time may be about other projects, so Davit hides them from some users.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
