import { columnsOf, type Row, select, selectFrom } from '../select.ts';
import type { Reader, Tx } from '../store.ts';
import { insert, update } from '../write.ts';
import { APP_REFERENCE } from './app-reference.ts';
import { forgetPush } from './push.ts';

const TAG = selectFrom('release_tags', 'id, app_id, tag, digest, media_type, bytes, pushed_at, pushed_by');

/** Image tag in the registry repository of an app. */
export type ReleaseTagRow = Row<typeof TAG>;

const UNMEASURED = select({ ...columnsOf('release_tags', 't'), app: APP_REFERENCE });
const DEPLOYMENT = selectFrom('deployments', 'id');

/**
 * Returns the image tags of an app, most recently pushed first.
 * @param before only tags with a lower id are returned. `null` means no limit.
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

/** Returns the image tags of an app, oldest first. Omits the newest `kept` tags. */
export function releaseTagsBeyond(db: Reader, appId: number, kept: number): ReleaseTagRow[] {
  return db.all(TAG.from('release_tags WHERE app_id = ? ORDER BY id DESC LIMIT -1 OFFSET ?'), appId, kept).reverse();
}

export interface NewRelease {
  appId: number;
  tag: string;
  digest: string;
  /** Time of the push in milliseconds since the epoch. */
  at: number;
  /** User who pushed the image, or `null` if the user is unknown. */
  by: string | null;
}

/**
 * Records that a tag was pushed to the registry. The registry can report pushes twice or in the wrong order.
 * @returns whether the tag is new or now points to another image
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
 * Deletes the row of a tag that no longer exists in the registry. If the tag is pushed again, it gets a new row.
 * @returns whether the tag had a row
 */
export function forgetRelease(tx: Tx, appId: number, tag: string): boolean {
  forgetPush(tx, appId, tag);
  const { changes } = tx.run('DELETE FROM release_tags WHERE app_id = ? AND tag = ?', appId, tag);
  if (changes > 0) tx.event({ kind: 'app', appId, data: { change: 'releases' } });
  return changes > 0;
}

/** Returns the image tags whose size is not measured yet, with the names of their apps. */
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

/** Returns the id of the newest deployment of an app with this image digest, or `undefined` if there is none. */
export function deploymentOfDigest(db: Reader, appId: number, digest: string): number | undefined {
  return db.get(DEPLOYMENT.from('deployments WHERE app_id = ? AND digest = ? ORDER BY id DESC LIMIT 1'), appId, digest)
    ?.id;
}
