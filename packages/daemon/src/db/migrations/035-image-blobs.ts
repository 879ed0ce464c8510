/**
 * Creates two tables for the content of registry repositories. The tables are separate, so that Davit does not mistake
 * the digest of an image configuration for the digest of an image.
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
