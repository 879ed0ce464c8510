/**
 * projects_at: when the projects of a user were last changed, or 0 if they never were. What the user did before that may concern
 * other projects.
 */
export const userProjects = `
ALTER TABLE users ADD COLUMN projects_at INTEGER NOT NULL DEFAULT 0;
`;
