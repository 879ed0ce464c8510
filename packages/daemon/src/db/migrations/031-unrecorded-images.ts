/** Tags of deployments that were made after an older copy of the state, and when they were found. */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
