/**
 * Adds the column `projects_at` to `users`: the time when the user's list of projects last changed, or 0 if it never
 * changed. Davit needs this time, because the user may have worked in other projects before.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
