/**
 * Blobs (layers and configurations) that registry repositories are known to contain, and manifests whose blobs are all
 * known. For a manifest, the table also contains the image id that Docker got. There are two tables, because a
 * configuration can also be valid as a manifest.
 */
export const imageBlobs = `
CREATE TABLE image_blobs (
  repository TEXT NOT NULL,
  digest TEXT NOT NULL,
  PRIMARY KEY (repository, digest)
) STRICT, WITHOUT ROWID;
CREATE TABLE image_manifests (
  repository TEXT NOT NULL,
  digest TEXT NOT NULL,
  image_id TEXT NOT NULL,
  PRIMARY KEY (repository, digest, image_id)
) STRICT, WITHOUT ROWID;
`;
