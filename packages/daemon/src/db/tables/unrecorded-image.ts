import { type Row, select, selectFrom, sql } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insertOrIgnore } from '../write.ts';

const UNRECORDED = selectFrom('unrecorded_images', 'tag, found_at');

export type UnrecordedImageRow = Row<typeof UNRECORDED>;

const LAST = select({ seq: sql.integer('seq') });

/** Returns the Docker images whose deployments are missing in the database, sorted by tag. */
export function unrecordedImages(db: Reader): UnrecordedImageRow[] {
  return db.all(UNRECORDED.from('unrecorded_images ORDER BY tag'));
}

export function unrecordedImage(db: Reader, tag: string): UnrecordedImageRow | undefined {
  return db.get(UNRECORDED.from('unrecorded_images WHERE tag = ?'), tag);
}

export function insertUnrecordedImage(tx: Tx, tag: string, at: number): void {
  insertOrIgnore(tx, 'unrecorded_images', { tag, found_at: at });
}

export function forgetUnrecordedImage(tx: Tx, tag: string): void {
  tx.run('DELETE FROM unrecorded_images WHERE tag = ?', tag);
}

/**
 * Returns the highest deployment id that this database has ever assigned or reserved. Returns 0 if no id was assigned
 * or reserved.
 */
export function lastDeploymentNumber(db: Reader): number {
  return db.get(LAST.from("sqlite_sequence WHERE name = 'deployments'"))?.seq ?? 0;
}
