/**
 * Adds the column `projects_at` to `users`: the time when the list of the user's projects last changed. It is 0 if the
 * list never changed. Before this time, the user may have acted in other projects.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
