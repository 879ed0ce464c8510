import { columnsOf, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { APP_REFERENCE } from './app-reference.ts';
import { forgetPush } from './push.ts';

const TAG = selectFrom('release_tags', 'id, app_id, tag, digest, media_type, bytes, pushed_at, pushed_by');

/** A tag in the repository of an app, as the registry reported it. */
export type ReleaseTagRow = Row<typeof TAG>;

const UNMEASURED = select({ ...columnsOf('release_tags', 't'), app: APP_REFERENCE });
const DEPLOYMENT = selectFrom('deployments', 'id');

/**
 * Returns the tags of an app, last pushed first.
 * @param before only tags with a smaller number, or `null` for all
 */
export function releaseTags(db: Reader, appId: number, limit: number, before: number | null = null): ReleaseTagRow[] {
  return db.all(
    TAG.from('release_tags WHERE app_id = ? AND id < ? ORDER BY id DESC LIMIT ?'),
    appId,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
}

export function releaseTag(db: Reader, appId: number, tag: string): ReleaseTagRow | undefined {
  return db.get(TAG.from('release_tags WHERE app_id = ? AND tag = ?'), appId, tag);
}

/** Returns all but the newest `kept` tags of an app, oldest first. */
export function releaseTagsBeyond(db: Reader, appId: number, kept: number): ReleaseTagRow[] {
  return db.all(TAG.from('release_tags WHERE app_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?'), appId, kept).reverse();
}

export interface NewRelease {
  appId: number;
  tag: string;
  digest: string;
  /** Time of the push, in milliseconds since the epoch. */
  at: number;
  /** Account of the push, or `null` if it is unknown. */
  by: string | null;
}

/**
 * Records the image of a tag, as the registry reported it. Reports may arrive twice, late, or out of order. A repeated
 * report, or a report that is older than the record, changes nothing.
 * @returns whether the tag is new or has another image now
 */
export function recordRelease(tx: Tx, { appId, tag, digest, at, by }: NewRelease): boolean {
  const known = releaseTag(tx, appId, tag);
  if (known?.digest === digest) {
    if (known.pushed_by === null && by !== null) {
      update(tx, 'release_tags', known.id, { pushed_by: by });
    }
    return false;
  }
  if (known !== undefined && known.pushed_at > at) return false;
  if (known !== undefined) tx.run('DELETE FROM release_tags WHERE id = ?', known.id);
  insert(tx, 'release_tags', { app_id: appId, tag, digest, pushed_at: at, pushed_by: by });
  tx.event({ kind: 'app', appId, data: { change: 'releases' } });
  return true;
}

/**
 * Deletes the record of a tag that the registry no longer has. A later push of the same tag counts as a new release.
 * @returns whether there was a record
 */
export function forgetRelease(tx: Tx, appId: number, tag: string): boolean {
  forgetPush(tx, appId, tag);
  const { changes } = tx.run('DELETE FROM release_tags WHERE app_id = ? AND tag = ?', appId, tag);
  if (changes > 0) tx.event({ kind: 'app', appId, data: { change: 'releases' } });
  return changes > 0;
}

/** Returns the tags whose size is not known yet, with the reference of their app. */
export function unmeasuredReleases(db: Reader, limit: number): Row<typeof UNMEASURED>[] {
  return db.all(
    UNMEASURED.from(
      `release_tags t JOIN apps a ON a.id = t.app_id JOIN environments e ON e.id = a.environment_id
         JOIN projects p ON p.id = e.project_id
        WHERE t.bytes IS NULL AND a.deleted_at IS NULL ORDER BY t.id LIMIT ?`,
    ),
    limit,
  );
}

export function measureRelease(tx: Tx, id: number, size: { bytes: number; mediaType: string }): void {
  update(tx, 'release_tags', id, { bytes: size.bytes, media_type: size.mediaType });
}

/** Returns the newest deployment of an app with exactly this image, or `undefined` if there is none. */
export function deploymentOfDigest(db: Reader, appId: number, digest: string): number | undefined {
  return db.get(DEPLOYMENT.from('deployments WHERE app_id = ? AND digest = ? ORDER BY id DESC LIMIT 1'), appId, digest)
    ?.id;
}
