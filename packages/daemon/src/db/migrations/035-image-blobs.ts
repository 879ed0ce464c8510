/**
 * Creates two tables that store what Davit has found in repositories of registries. `image_blobs` contains layers and
 * image configurations. `image_manifests` contains images with all their layers. There are two tables, because the
 * digest of a configuration must not count as the digest of an image.
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
