import { UNFINISHED } from './deployment.ts';
import type { Reader, Tx } from './store.ts';

/** A name under which this instance brought an image to the engine. */
export interface PulledImageRow {
  reference: string;
  /** Null: the pull has begun and nothing more is known. */
  image_id: string | null;
}

export function pulledImage(db: Reader, reference: string): PulledImageRow | undefined {
  return db.get('SELECT reference, image_id FROM pulled_images WHERE reference = ?', reference);
}

/** By name. */
export function allPulledImages(db: Reader): PulledImageRow[] {
  return db.all('SELECT reference, image_id FROM pulled_images ORDER BY reference');
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

export function forgetPulled(tx: Tx, reference: string): void {
  tx.run('DELETE FROM pulled_images WHERE reference = ?', reference);
}

/**
 * Whether a deployment that has not ended yet asked for an image by this name. What is named by its manifest is asked for
 * by every deployment of its repository: which manifest a deployment means may not be known yet.
 */
export function isAskedFor(db: Reader, reference: string): boolean {
  const repository = reference.includes('@') ? `${reference.slice(0, reference.indexOf('@'))}:` : null;
  const sql = `SELECT 1 FROM deployments WHERE ${UNFINISHED} AND (image = ?1 OR substr(image, 1, length(?2)) = ?2) LIMIT 1`;
  return db.get(sql, reference, repository) !== undefined;
}
