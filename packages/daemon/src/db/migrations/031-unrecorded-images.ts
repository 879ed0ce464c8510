/** Image tags of deployments that are missing in the database, because it was restored from an older copy. */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
