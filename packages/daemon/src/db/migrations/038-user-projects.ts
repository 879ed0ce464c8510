/**
 * Adds the column `projects_at` to `users`. It is the time when the list of the user's projects last changed, or 0 if
 * it never changed. Before this time, the user may have acted in other projects.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
