/**
 * Creates the table of Docker image tags whose deployments are unknown, because Davit's database was restored from an
 * older copy.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
