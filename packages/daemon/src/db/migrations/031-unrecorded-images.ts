/**
 * Creates the table of Docker image tags that belong to unknown deployments. Davit's database lacks these deployments
 * if it was restored from an older copy.
 */
export const unrecordedImages = `
CREATE TABLE unrecorded_images (
  tag TEXT PRIMARY KEY,
  found_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`;
