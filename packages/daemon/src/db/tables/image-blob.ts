import type { Reader, Tx } from '../store.ts';
import { insertOrIgnore } from '../write.ts';

/**
 * Returns whether Davit has found a layer or an image configuration in a registry repository.
 * @param repository name of the repository, including the registry host
 */
export function isKnownBlob(db: Reader, repository: string, digest: string): boolean {
  return db.exists('SELECT 1 FROM image_blobs WHERE repository = ? AND digest = ?', repository, digest);
}

export function recordBlob(tx: Tx, repository: string, digest: string): void {
  insertOrIgnore(tx, 'image_blobs', { repository, digest });
}

/**
 * Returns whether Davit has found all blobs (layers and configuration) of an image in a registry repository.
 * @param digest digest of the image's manifest
 */
export function isKnownImage(db: Reader, repository: string, digest: string, imageId: string): boolean {
  const query = 'SELECT 1 FROM image_manifests WHERE repository = ? AND digest = ? AND image_id = ?';
  return db.exists(query, repository, digest, imageId);
}

export function recordImage(tx: Tx, repository: string, digest: string, imageId: string): void {
  insertOrIgnore(tx, 'image_manifests', { repository, digest, image_id: imageId });
}
