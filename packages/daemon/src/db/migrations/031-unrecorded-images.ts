/**
 * Creates a table of image tags in Docker. Davit does not know the deployments of these tags, because its database was
 * restored from an older backup.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
