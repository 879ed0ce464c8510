import { type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { UNFINISHED } from './deployment.ts';

const PULLED = selectFrom('pulled_images', 'reference, image_id');
const NAME = select({ name: sql.text('name') });

/** Image reference that this instance pulled, such as `nginx:1`, with the Docker image id. */
export type PulledImageRow = Row<typeof PULLED>;

export function pulledImage(db: Reader, reference: string): PulledImageRow | undefined {
  return db.get(PULLED.from('pulled_images WHERE reference = ?'), reference);
}

/** Returns the references (such as `nginx:1`) of all images that this instance pulled, sorted by reference. */
export function allPulledImages(db: Reader): PulledImageRow[] {
  return db.all(PULLED.from('pulled_images ORDER BY reference'));
}

export function recordPulled(tx: Tx, { reference, image_id }: PulledImageRow, at: number): void {
  tx.run(
    `INSERT INTO pulled_images (reference, image_id, pulled_at) VALUES (?, ?, ?)
      ON CONFLICT (reference) DO UPDATE SET image_id = excluded.image_id, pulled_at = excluded.pulled_at`,
    reference,
    image_id,
    at,
  );
}

/**
 * Updates the Docker image id of an image reference. Does nothing if this instance did not pull this image reference.
 */
export function setPulledImage(tx: Tx, reference: string, imageId: string): void {
  tx.run('UPDATE pulled_images SET image_id = ? WHERE reference = ?', imageId, reference);
}

export function forgetPulled(tx: Tx, reference: string): void {
  tx.run('DELETE FROM pulled_images WHERE reference = ?', reference);
}

/**
 * Returns whether an unfinished deployment may need an image. The digest of a deployment may be unknown, and a
 * promotion changes the repository. Therefore, an equal repository or an equal digest is enough.
 */
export function isNeededByDeployment(db: Reader, reference: string): boolean {
  const [name, digest = null] = reference.split('@');
  const repository = digest === null ? null : `${name}:`;
  const sql = `SELECT 1 FROM deployments
    WHERE ${UNFINISHED} AND (image = ?1 OR substr(image, 1, length(?2)) = ?2 OR digest = ?3) LIMIT 1`;
  return db.exists(sql, reference, repository, digest);
}

/** Returns whether a stored deployment of an app in the project uses this image. */
export function hasDeployedImage(db: Reader, imageId: string, projectId: number): boolean {
  const sql = `SELECT 1 FROM deployments d JOIN apps a ON a.id = d.app_id JOIN environments e ON e.id = a.environment_id
    WHERE d.image_id = ? AND e.project_id = ? LIMIT 1`;
  return db.exists(sql, imageId, projectId);
}

/**
 * Returns the names with which an image came from a registry. The instance pulled the image with these names, or a
 * deployment of the image has one of these names and a manifest digest.
 */
export function registryNamesOf(db: Reader, imageId: string): string[] {
  const rows = db.all(
    NAME.from(
      `(SELECT reference AS name FROM pulled_images WHERE image_id = ?1 UNION
        SELECT image FROM deployments WHERE image_id = ?1 AND digest IS NOT NULL AND digest <> image_id)`,
    ),
    imageId,
  );
  return rows.map(({ name }) => name);
}
