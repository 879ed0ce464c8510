/**
 * Creates a table of image tags that exist in Docker but whose deployments are missing in the database. These
 * deployments are missing, because the database was restored from an older backup.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
