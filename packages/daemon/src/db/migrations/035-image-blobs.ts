/**
 * Creates two tables about the instance's registry. `image_blobs` lists the blobs (layers and configurations) that a
 * repository contains. `image_manifests` lists manifests whose blobs are all in the repository, with the Docker image
 * id. The tables are separate, because an image configuration can also be valid as a manifest.
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
