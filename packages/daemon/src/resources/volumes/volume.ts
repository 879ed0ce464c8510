/**
 * API functions for the volumes of apps. Deployments, garbage collection and the deletion of an app never remove a
 * volume. If a project is deleted with its contents, its volumes are moved to the trash.
 */
import { type AppVolume, allows, DavitError, MOST_VOLUMES, type Volume, type VolumeCreate } from '@davit/api';
import { volumeName } from '../../adapters/engine/names.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import { currentApp, sees } from '../../authorization/lookup.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { appsHolding } from '../../db/tables/mount.ts';
import {
  type AppVolumeRow,
  attachVolume,
  insertVolume,
  type VolumeRow,
  volumeByName,
  volumesOfApp,
} from '../../db/tables/volume.ts';
import { demandConfirm } from '../../input/confirm.ts';
import { type Page, pageOf } from '../../input/paging.ts';
import { byPathNumber } from '../../input/path-number.ts';
import { withinQuota } from '../../quotas/quota.ts';
import { followClock, isOver } from '../../trash/term.ts';
import { demandOneReplica } from '../apps/single-replica.ts';
import type { VolumesDeps } from './deps.ts';
import { hasFileIn, nestedIn, presentAppVolume, toTrash, type VolumesRequest } from './record.ts';

/** Returns the volumes of an app, sorted by path. */
export async function listAppVolumes(
  core: VolumesDeps,
  ctx: OpContext,
  app: AppTarget,
  query: VolumesRequest,
): Promise<Page<AppVolume>> {
  const { items, next } = pageOf(volumesOfApp(core.store, app.id), (row) => row.path, query);
  const present = (row: AppVolumeRow) => presentAppVolume(core, ctx, row, query.sizes ?? false);
  return { items: await Promise.all(items.map(present)), next };
}

/**
 * Returns a volume of an app.
 * @param sizes whether to measure the size
 * @throws DavitError not_found
 */
export function readAppVolume(
  core: VolumesDeps,
  ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  sizes: boolean,
): Promise<AppVolume> {
  return presentAppVolume(core, ctx, ownVolume(core.store, app, number), sizes);
}

/**
 * Adds a new volume to an app. With `adopt`, adds an existing volume that no app uses.
 * @throws DavitError conflict if the path is taken or the app has several replicas
 */
export async function addVolume(
  core: VolumesDeps,
  ctx: OpContext,
  app: AppTarget,
  input: VolumeCreate,
): Promise<AppVolume> {
  const id = core.store.tx((tx) => {
    const now = currentApp(tx, app.id);
    demandOneReplica(now, 'A volume');
    refuseMore(tx, now);
    refuseNested(tx, now, input.path);
    refuseOverFiles(now, input.path);
    const mountPoint = { appId: now.id, projectId: now.project.id, app: now.reference, path: input.path };
    const number = withinQuota(tx, now.project.id, () => {
      // The next deployment creates the Docker volume. So there is no Docker volume without a database row.
      if (input.adopt === undefined)
        return insertVolume(tx, { ...mountPoint, at: core.now() }, (made) => volumeName(core.facts.id, made));
      const { id: adopted } = adoptable(core, tx, ctx, now, input.adopt);
      attachVolume(tx, adopted, mountPoint);
      return adopted;
    });
    core.store.trail.about({ target: `${now.reference}/volumes/${number}`, projectId: now.project.id });
    return number;
  });
  return presentAppVolume(core, ctx, ownVolume(core.store, app, String(id)), false);
}

/**
 * Moves a volume of an app to the trash, where it stays for `volumes.trash_days` days.
 * @throws DavitError not_found; invalid_input if `confirm` is not the name of the volume
 */
export function removeVolume(
  core: VolumesDeps,
  _ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  confirm: string,
): Volume {
  return core.store.tx((tx) => {
    const row = ownVolume(tx, app, number);
    demandConfirm(confirm, row.name, 'volume');
    return toTrash(core, tx, row);
  });
}

/**
 * Returns an existing volume that an app will use.
 * @throws DavitError conflict. The message does not show whether a hidden volume exists.
 */
function adoptable(core: VolumesDeps, tx: Tx, { actor }: OpContext, app: AppTarget, name: string): VolumeRow {
  followClock(core, tx);
  const row = volumeByName(tx, name);
  const mayTake = row?.state === 'kept' || (row?.state === 'trash' && allows(actor.role, 'administer'));
  if (row === undefined || !mayTake || isOver(core, row) || !sees(actor, row.project_id))
    throw new DavitError(
      'conflict',
      `No detached volume (a volume that no app uses) has this name. List the volumes with GET /api/volumes.`,
    );
  const others = appsHolding(tx, name).filter((id) => id !== app.id);
  if (others.length > 0)
    throw new DavitError(
      'conflict',
      `The running release or a command of ${row.app} still uses ${name}. Deploy that app without the volume, and wait until its commands have ended.`,
    );
  return row;
}

function refuseMore(db: Reader, app: AppTarget): void {
  if (volumesOfApp(db, app.id).length < MOST_VOLUMES) return;
  throw new DavitError('conflict', `The app has ${MOST_VOLUMES} volumes, which is the limit. Remove one first.`);
}

function refuseOverFiles(app: AppTarget, path: string): void {
  if (!hasFileIn(app, path)) return;
  throw new DavitError(
    'conflict',
    'The app has files in the folder of this volume. Choose another path for the volume, or remove the files from the app.',
  );
}

function refuseNested(db: Reader, app: AppTarget, path: string): void {
  const other = nestedIn(db, app, path);
  if (other === undefined) return;
  const message =
    other.path === path
      ? `The app already has a volume at ${path}. Choose another path.`
      : `The app has a volume at ${other.path}, and a volume cannot be inside another volume. Choose another path.`;
  throw new DavitError('conflict', message);
}

function ownVolume(db: Reader, app: AppTarget, number: string | undefined): AppVolumeRow {
  const row = byPathNumber(number, (id) => volumesOfApp(db, app.id).find((volume) => volume.id === id));
  if (row === undefined) throw new DavitError('not_found', 'The app does not have this volume. List its volumes.');
  return row;
}
