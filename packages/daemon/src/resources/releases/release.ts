/**
 * Lists and deletes releases of an app. The lists come from the database, so they are available even if the registry is
 * unavailable.
 */
import { DavitError, type Release, timestamp } from '@davit/api';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader } from '../../db/store.ts';
import { liveOf } from '../../db/tables/release.ts';
import {
  deploymentOfDigest,
  forgetRelease,
  type ReleaseTagRow,
  releaseTag,
  releaseTags,
} from '../../db/tables/release-tag.ts';
import { numberedPage } from '../../input/numbered-page.ts';
import { mapPage, type Page, type PageQuery } from '../../input/paging.ts';
import { ownRepository, whyTagStays } from '../registry/needed-images.ts';
import type { ReleasesDeps } from './deps.ts';

export function listReleases(
  core: ReleasesDeps,
  _ctx: OpContext,
  app: AppTarget,
  query: PageQuery = {},
): Page<Release> {
  const read = (limit: number, before: number | null) => releaseTags(core.store, app.id, limit, before);
  const live = liveDigest(core, app);
  return mapPage(
    numberedPage(query, (row) => row.id, read),
    (row) => present(core.store, row, live),
  );
}

/** @throws DavitError not_found if the app has no release with this tag */
export function readRelease(core: ReleasesDeps, _ctx: OpContext, app: AppTarget, tag: string | undefined): Release {
  return present(core.store, found(core.store, app, tag), liveDigest(core, app));
}

const MOVED =
  'The tag was pushed again, so it now refers to another image. List the releases again, then repeat the request.';

/**
 * Removes a tag of an app. The image stays if a deployment or rollback needs it.
 * @throws DavitError not_found; conflict for a tag in use or pushed again; RegistryUnavailable
 */
export async function deleteRelease(
  core: ReleasesDeps,
  _ctx: OpContext,
  app: AppTarget,
  requestedTag: string | undefined,
): Promise<void> {
  const { tag, digest } = found(core.store, app, requestedTag);
  const why = whyTagStays(core.store, app, tag);
  if (why !== null) throw new DavitError('conflict', why);
  core.store.trail.demandRights();
  if (!(await core.registry.untag({ repository: app.reference, tag }, digest))) throw new DavitError('conflict', MOVED);
  core.store.tx((tx) => {
    // If the tag was pushed again, keep the database row, because the row then describes the new image.
    if (releaseTag(tx, app.id, tag)?.digest === digest) forgetRelease(tx, app.id, tag);
  });
}

function found(db: Reader, app: AppTarget, tag: string | undefined): ReleaseTagRow {
  const row = tag === undefined ? undefined : releaseTag(db, app.id, tag);
  if (row === undefined) throw new DavitError('not_found', 'The app does not have this release. List its releases.');
  return row;
}

/**
 * Returns the image digest of an app's live release. Returns `null` if the app's own repository does not contain the
 * image.
 */
function liveDigest({ store, facts }: ReleasesDeps, app: AppTarget): string | null {
  const live = liveOf(store, app.id);
  return live !== undefined && ownRepository(live.image, facts.domain) === app.reference ? live.digest : null;
}

function present(db: Reader, row: ReleaseTagRow, live: string | null): Release {
  return {
    tag: row.tag,
    digest: row.digest,
    bytes: row.bytes,
    media_type: row.media_type,
    pushed_at: timestamp(row.pushed_at),
    pushed_by: row.pushed_by,
    deployment: deploymentOfDigest(db, row.app_id, row.digest) ?? null,
    live: row.digest === live,
  };
}
