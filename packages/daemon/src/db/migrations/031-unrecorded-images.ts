/**
 * Creates a table of image tags in Docker whose deployments are missing, because the SQLite database was restored from
 * an older backup.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
