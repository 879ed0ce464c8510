/**
 * Layers and configurations that repositories of other registries were seen to have, and the manifests that they were seen
 * to have everything of, with the image that the engine got. Two tables: a configuration can also be read as a manifest.
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
