/** What apps keep between releases. No deploy, no collection and no deletion of an app ever removes one. */
import { type AppVolume, allows, DavitError, isWithin, timestamp, type Volume, type VolumeCreate } from '@davit/api';
import type { OpContext } from '../context.ts';
import { EngineRefused, EngineUnavailable } from '../engine/engine.ts';
import { volumeName } from '../engine/names.ts';
import type { AppTarget } from '../release/app-target.ts';
import { appById } from '../store/apps.ts';
import { appsHolding } from '../store/mounts.ts';
import type { Reader, Tx } from '../store/store.ts';
import {
  type AppVolumeRow,
  attachVolume,
  forgetVolume,
  insertVolume,
  keepVolume,
  listVolumes as listVolumeRows,
  trashVolume,
  type VolumeRow,
  volumeById,
  volumeByName,
  volumesOfApp,
} from '../store/volumes.ts';
import type { Core } from './core.ts';
import { appTarget, currentApp, pathNumber, sees } from './lookup.ts';
import { demandOneInstance } from './one-instance.ts';
import { type Page, type PageAsk, pageOf } from './paging.ts';

const DAY_MS = 86_400_000;

export interface VolumesAsk extends PageAsk {
  /** Measured as well, which may take seconds. */
  sizes?: boolean | undefined;
}

/** Those of an app, by path. */
export async function listAppVolumes(
  core: Core,
  ctx: OpContext,
  app: AppTarget,
  ask: VolumesAsk,
): Promise<Page<AppVolume>> {
  const { items, next } = pageOf(volumesOfApp(core.store, app.id), (row) => row.path, ask);
  const present = (row: AppVolumeRow) => presentAppVolume(core, ctx, row, ask.sizes ?? false);
  return { items: await Promise.all(items.map(present)), next };
}

/** One of an app's, measured. @throws DavitError not_found */
export function readAppVolume(core: Core, ctx: OpContext, app: AppTarget, number: string | undefined) {
  return presentAppVolume(core, ctx, ownVolume(core.store, app, number), true);
}

/** Every one that the actor sees, whoever has it, by app and path. */
export async function listVolumes(core: Core, ctx: OpContext, ask: VolumesAsk): Promise<Page<Volume>> {
  const keyOf = ({ app, path, id }: VolumeRow) => `${app} ${path} ${id}`;
  const rows = listVolumeRows(core.store, ctx.actor.projects).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { items, next } = pageOf(rows, keyOf, ask);
  const present = async (row: VolumeRow) => presentVolume(row, await sizeOf(core, ctx, row, ask.sizes ?? false));
  return { items: await Promise.all(items.map(present)), next };
}

/**
 * Gives an app a volume from its next deploy on, which makes it at the engine: what is on record cannot be lost between
 * the two. With `adopt` one that no app has any more.
 * @throws DavitError conflict for a path that is taken, an app of several instances, or a volume that cannot be adopted
 */
export async function addVolume(core: Core, ctx: OpContext, app: AppTarget, input: VolumeCreate): Promise<AppVolume> {
  const id = core.store.tx((tx) => {
    const now = currentApp(tx, app.id);
    demandOneInstance(now, 'A volume');
    refuseNested(tx, now, input.path);
    const place = { appId: now.id, projectId: now.project.id, app: now.reference, path: input.path };
    const number =
      input.adopt === undefined
        ? insertVolume(tx, { ...place, at: core.now() }, (made) => volumeName(core.facts.id, made))
        : adoptable(core, tx, ctx, now, input.adopt).id;
    if (input.adopt !== undefined) attachVolume(tx, number, place);
    core.store.trail.about({ target: `${now.reference}/volumes/${number}`, projectId: now.project.id });
    return number;
  });
  return presentAppVolume(core, ctx, ownVolume(core.store, app, String(id)), false);
}

/**
 * Moves a volume of an app to the trash, where it stays for the days that the settings name now.
 * @throws DavitError not_found; invalid_input when it is not called by its name
 */
export function removeVolume(
  core: Core,
  _ctx: OpContext,
  app: AppTarget,
  number: string | undefined,
  confirm: string,
): Volume {
  return core.store.tx((tx) => {
    const row = ownVolume(tx, app, number);
    demandName(row, confirm);
    return toTrash(core, tx, row);
  });
}

/**
 * Deletes one that no app has: a kept one goes to the trash and is answered; one in the trash goes for good, and null is
 * answered.
 * @throws DavitError not_found, invalid_input; conflict for one that an app has or a container uses; unavailable
 */
export async function deleteVolume(
  core: Core,
  ctx: OpContext,
  number: string | undefined,
  confirm: string,
): Promise<Volume | null> {
  const trashed = core.store.tx((tx) => {
    const row = seenVolume(tx, ctx, number);
    demandName(row, confirm);
    tellWhose(core, row);
    if (row.state === 'used')
      throw new DavitError('conflict', `${row.name} belongs to ${row.app}: delete it there, then here.`);
    if (row.state === 'kept') return { volume: toTrash(core, tx, row) };
    // Its time is over from here on, so that nobody brings back what is being removed.
    trashVolume(tx, row, 0);
    return { row };
  });
  if (trashed.volume !== undefined) return trashed.volume;
  await removeForGood(core, trashed.row);
  return null;
}

/**
 * Brings one back from the trash: to its app where that can have it, else to be adopted.
 * @throws DavitError not_found, conflict for one that is not in the trash
 */
export function restoreVolume(core: Core, ctx: OpContext, number: string | undefined): Volume {
  return core.store.tx((tx) => {
    const row = seenVolume(tx, ctx, number);
    tellWhose(core, row);
    if (row.state !== 'trash') throw new DavitError('conflict', `${row.name} is not in the trash.`);
    if (isOver(core, row))
      throw new DavitError('conflict', `The time of ${row.name} in the trash is over: it is being removed.`);
    const home = homeOf(tx, row);
    if (home === null) keepVolume(tx, row);
    else attachVolume(tx, row.id, { appId: home.id, projectId: home.project.id, app: home.reference, path: row.path });
    return presentVolume(volumeById(tx, row.id) ?? row, undefined);
  });
}

/** Past its term: the reconciler may be removing it right now. */
function isOver({ now }: Core, { expires_at }: VolumeRow): boolean {
  return expires_at !== null && expires_at <= now();
}

/** The data first: what is on record is what can still be tried again. */
async function removeForGood({ engine, store }: Core, row: VolumeRow): Promise<void> {
  try {
    await engine.removeVolume(row.name);
  } catch (cause) {
    store.tx((tx) => trashVolume(tx, row, row.expires_at ?? 0));
    if (cause instanceof EngineUnavailable)
      throw new DavitError('unavailable', cause.message, { cause, retryAfterS: 5 });
    if (!(cause instanceof EngineRefused)) throw cause;
    const message = `${row.name} cannot be removed yet (${cause.message}): deploy ${row.app} without it first.`;
    throw new DavitError('conflict', message, { cause });
  }
  store.tx((tx) => forgetVolume(tx, row));
}

function toTrash(core: Core, tx: Tx, row: VolumeRow): Volume {
  // A term that somebody was told stays as it is when the settings change.
  const expiresAt = core.now() + core.settings().volumes.trash_days * DAY_MS;
  trashVolume(tx, row, expiresAt);
  return presentVolume({ ...row, state: 'trash', expires_at: expiresAt }, undefined);
}

/** The volume to adopt. @throws DavitError conflict, alike for what is missing and what is not seen */
function adoptable(core: Core, tx: Tx, { actor }: OpContext, app: AppTarget, name: string): VolumeRow {
  const row = volumeByName(tx, name);
  const mayTake = row?.state === 'kept' || (row?.state === 'trash' && allows(actor.role, 'administer'));
  if (row === undefined || !mayTake || isOver(core, row) || !sees(actor, row.project_id))
    throw new DavitError('conflict', `There is no kept volume of this name: GET /api/volumes lists them.`);
  const others = appsHolding(tx, name).filter((id) => id !== app.id);
  if (others.length > 0)
    throw new DavitError('conflict', `${name} is still used by what runs of ${row.app}: deploy that without it first.`);
  return row;
}

/** The app that a volume goes back to; null when that is gone, runs several instances, or has something else there. */
function homeOf(db: Reader, row: VolumeRow): AppTarget | null {
  const home = row.app_id === null ? undefined : appById(db, row.app_id);
  if (home === undefined) return null;
  const app = appTarget(home);
  return app.spec.scale > 1 || nestedIn(db, app, row.path) !== undefined ? null : app;
}

function refuseNested(db: Reader, app: AppTarget, path: string): void {
  const other = nestedIn(db, app, path);
  if (other === undefined) return;
  const how =
    other.path === path
      ? `has a volume at ${path} already`
      : `has a volume at ${other.path}, and one cannot be inside the other`;
  throw new DavitError('conflict', `The app ${how}: choose another path.`);
}

function nestedIn(db: Reader, app: AppTarget, path: string): AppVolumeRow | undefined {
  return volumesOfApp(db, app.id).find((row) => isWithin(row.path, path) || isWithin(path, row.path));
}

function demandName({ name }: VolumeRow, confirm: string): void {
  if (confirm !== name) throw new DavitError('invalid_input', `confirm: must be the volume’s name, ${name}.`);
}

function ownVolume(db: Reader, app: AppTarget, number: string | undefined): AppVolumeRow {
  const id = pathNumber(number);
  const row = id === undefined ? undefined : volumesOfApp(db, app.id).find((volume) => volume.id === id);
  if (row === undefined) throw new DavitError('not_found', 'The app has no such volume: list its volumes.');
  return row;
}

function seenVolume(db: Reader, { actor }: OpContext, number: string | undefined): VolumeRow {
  const id = pathNumber(number);
  const row = id === undefined ? undefined : volumeById(db, id);
  if (row === undefined || !sees(actor, row.project_id))
    throw new DavitError('not_found', 'There is no such volume, or you do not see it: list the volumes.');
  return row;
}

/** An address without a project says nothing of whose it is. */
function tellWhose({ store }: Core, row: VolumeRow): void {
  store.trail.about({ target: `${row.app}/volumes/${row.id}`, projectId: row.project_id });
}

async function sizeOf(core: Core, { signal }: OpContext, { name }: VolumeRow, asked: boolean) {
  if (!asked) return undefined;
  return core.engine.volumeSize(name, signal).catch((error: unknown) => {
    if (error instanceof EngineUnavailable || error instanceof EngineRefused) return null;
    throw error;
  });
}

async function presentAppVolume(core: Core, ctx: OpContext, row: AppVolumeRow, sizes: boolean): Promise<AppVolume> {
  return presentShared(row, await sizeOf(core, ctx, row, sizes));
}

function presentVolume(row: VolumeRow, size: number | null | undefined): Volume {
  const { app, state } = row;
  return { ...presentShared(row, size), app, state, expires_at: timestamp(row.expires_at) };
}

function presentShared({ id, path, name, created_at }: VolumeRow, size: number | null | undefined): AppVolume {
  return { id, path, name, ...(size !== undefined && { size_bytes: size }), created_at: timestamp(created_at) };
}
