/** API functions for all volumes of the instance. Volumes that belong to no app can be restored or deleted. */
import { DavitError, type Volume } from '@davit/api';
import { type AppTarget, appTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { sees } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { appById } from '../../db/tables/app.ts';
import { appsHolding } from '../../db/tables/mount.ts';
import {
  attachVolume,
  forgetVolume,
  keepVolume,
  listVolumes as listVolumeRows,
  trashVolume,
  type VolumeRow,
  volumeById,
} from '../../db/tables/volume.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { type Page, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { inTerm, removeForGood } from '../../trash/trash.ts';
import type { VolumesDeps } from './deps.ts';
import { hasFileIn, nestedIn, presentVolume, sizeOf, toTrash, type VolumesRequest } from './record.ts';

/** Returns the volumes that the user can see, sorted by app and mount path. */
export async function listVolumes(core: VolumesDeps, ctx: OpContext, query: VolumesRequest): Promise<Page<Volume>> {
  const keyOf = ({ app, path, id }: VolumeRow) => `${app} ${path} ${id}`;
  const rows = listVolumeRows(core.store, ctx.actor.projects).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { items, next } = pageOf(rows, keyOf, query);
  const present = async (row: VolumeRow) => presentVolume(row, await sizeOf(core, ctx, row, query.sizes ?? false));
  return { items: await Promise.all(items.map(present)), next };
}

/**
 * Moves a volume to the trash. If the volume is already in the trash, deletes it permanently and returns `null`.
 * @throws DavitError not_found, invalid_input, conflict; EngineUnavailable
 */
export async function deleteVolume(
  core: VolumesDeps,
  ctx: OpContext,
  number: string | undefined,
  confirm: string,
): Promise<Volume | null> {
  const trashed = core.store.tx((tx) => {
    const row = named(core, tx, ctx, number, confirm);
    if (row.state === 'used')
      throw new DavitError('conflict', `The volume ${row.name} belongs to ${row.app}. Delete it from the app first.`);
    return row.state === 'kept' ? toTrash(core, tx, row) : null;
  });
  if (trashed !== null) return trashed;
  await removeForGood(core, {
    find(tx) {
      const row = named(core, tx, ctx, number, confirm);
      if (row.state !== 'trash')
        throw new DavitError('conflict', `${row.name} was restored and is no longer in the trash.`);
      if (appsHolding(tx, row.name).length === 0) return row;
      const message = `The running release or a command of ${row.app} uses ${row.name}. Deploy the app without the volume, and wait until its commands have ended.`;
      throw new DavitError('conflict', message);
    },
    setEnd: (tx, row, expiresAt) => trashVolume(tx, row, expiresAt ?? 0),
    destroy: (row) => destroy(core, row),
  });
  return null;
}

/**
 * Returns a volume after a check of the confirmation.
 * @throws DavitError not_found; invalid_input if the confirmation is not the name of the volume
 */
function named(core: VolumesDeps, tx: Tx, ctx: OpContext, number: string | undefined, confirm: string): VolumeRow {
  const row = seenVolume(tx, ctx, number);
  demandConfirm(confirm, row.name, 'volume');
  recordAuditTarget(core, row, row.state === 'trash' ? DESTROYED : TRASHED);
  return row;
}

/**
 * Restores a volume from the trash. Attaches the volume to its previous app if possible.
 * @throws DavitError not_found; conflict if the volume is not in the trash
 */
export function restoreVolume(core: VolumesDeps, ctx: OpContext, number: string | undefined): Volume {
  return core.store.tx((tx) => {
    const row = inTerm(core, tx, () => seenVolume(tx, ctx, number));
    recordAuditTarget(core, row);
    if (row.state !== 'trash')
      throw new DavitError('conflict', `${row.name} is not in the trash, so it cannot be restored.`);
    const home = homeOf(tx, row);
    withinQuota(tx, row.project_id, () => {
      /*
       * If the previous app cannot use the volume, keep the volume without an app. A user can then attach it to another
       * app.
       */
      if (home === null) keepVolume(tx, row);
      else
        attachVolume(tx, row.id, { appId: home.id, projectId: home.project.id, app: home.reference, path: row.path });
    });
    return presentVolume(volumeById(tx, row.id) ?? row, undefined);
  });
}

/**
 * Deletes a volume permanently. The Docker volume is deleted before the database row, so that a failed deletion can be
 * repeated.
 */
async function destroy({ engine, store }: VolumesDeps, row: VolumeRow): Promise<void> {
  await engine.removeVolume(row.name);
  store.tx((tx) => forgetVolume(tx, row));
}

/**
 * Returns the app to which a restored volume is attached again. Returns `null` if the app was deleted or cannot use the
 * volume.
 */
function homeOf(db: Reader, row: VolumeRow): AppTarget | null {
  const home = row.app_id === null ? undefined : appById(db, row.app_id);
  if (home === undefined) return null;
  const app = appTarget(home);
  return app.spec.scale > 1 || nestedIn(db, app, row.path) !== undefined || hasFileIn(app, row.path) ? null : app;
}

function seenVolume(db: Reader, { actor }: OpContext, number: string | undefined): VolumeRow {
  const row = byPathNumber(number, (id) => volumeById(db, id));
  if (row === undefined || !sees(actor, row.project_id))
    throw new DavitError('not_found', 'This volume does not exist, or you cannot access it. List the volumes.');
  return row;
}

/**
 * Adds the volume and its project to the request's entry in the audit log. The request path does not contain the
 * project.
 */
function recordAuditTarget({ store }: VolumesDeps, row: VolumeRow, status?: number): void {
  const about = { target: `${row.app}/volumes/${row.id}`, projectId: row.project_id };
  store.trail.about({ ...about, ...(status !== undefined && { status }) });
}

/**
 * HTTP status codes in the audit log. They show whether a volume was moved to the trash (200) or deleted permanently
 * (204).
 */
const TRASHED = 200;
const DESTROYED = 204;
