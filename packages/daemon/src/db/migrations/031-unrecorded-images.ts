/**
 * Creates a table of image tags in Docker whose deployments are missing in the SQLite database. Deployments are missing
 * after an older backup of this database was restored.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
