/** Every volume of the instance: those that no app has are brought back or deleted here. */
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
import { hasFileIn, nestedIn, presentVolume, sizeOf, toTrash, type VolumesAsk } from './record.ts';

/** Every one that the actor sees, whoever has it, by app and path. */
export async function listVolumes(core: VolumesDeps, ctx: OpContext, ask: VolumesAsk): Promise<Page<Volume>> {
  const keyOf = ({ app, path, id }: VolumeRow) => `${app} ${path} ${id}`;
  const rows = listVolumeRows(core.store, ctx.actor.projects).sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const { items, next } = pageOf(rows, keyOf, ask);
  const present = async (row: VolumeRow) => presentVolume(row, await sizeOf(core, ctx, row, ask.sizes ?? false));
  return { items: await Promise.all(items.map(present)), next };
}

/**
 * Deletes one that no app has: a kept one goes to the trash and is answered; one in the trash goes for good, and null is
 * answered.
 * @throws DavitError not_found, invalid_input; conflict for one that an app has or a container uses; EngineUnavailable
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
      throw new DavitError('conflict', `${row.name} belongs to ${row.app}: delete it there, then here.`);
    return row.state === 'kept' ? toTrash(core, tx, row) : null;
  });
  if (trashed !== null) return trashed;
  await removeForGood(core, {
    find(tx) {
      const row = named(core, tx, ctx, number, confirm);
      if (row.state !== 'trash')
        throw new DavitError('conflict', `${row.name} is not in the trash any more: it was brought back just now.`);
      if (appsHolding(tx, row.name).length === 0) return row;
      const message = `${row.name} is in use by what runs of ${row.app}: deploy that without it first.`;
      throw new DavitError('conflict', message);
    },
    setEnd: (tx, row, expiresAt) => trashVolume(tx, row, expiresAt ?? 0),
    destroy: (row) => destroy(core, row),
  });
  return null;
}

/** One that is called by its name. */
function named(core: VolumesDeps, tx: Tx, ctx: OpContext, number: string | undefined, confirm: string): VolumeRow {
  const row = seenVolume(tx, ctx, number);
  demandConfirm(confirm, row.name, 'volume');
  tellWhose(core, row, row.state === 'trash' ? DESTROYED : TRASHED);
  return row;
}

/**
 * Brings one back from the trash: to its app where that can have it, else to be adopted.
 * @throws DavitError not_found, conflict for one that is not in the trash
 */
export function restoreVolume(core: VolumesDeps, ctx: OpContext, number: string | undefined): Volume {
  return core.store.tx((tx) => {
    const row = inTerm(core, tx, () => seenVolume(tx, ctx, number));
    tellWhose(core, row);
    if (row.state !== 'trash')
      throw new DavitError('conflict', `${row.name} is not in the trash: there is nothing to bring back.`);
    const home = homeOf(tx, row);
    withinQuota(tx, row.project_id, () => {
      if (home === null) keepVolume(tx, row);
      else
        attachVolume(tx, row.id, { appId: home.id, projectId: home.project.id, app: home.reference, path: row.path });
    });
    return presentVolume(volumeById(tx, row.id) ?? row, undefined);
  });
}

/** The data first: what is on record is what can still be tried again. */
async function destroy({ engine, store }: VolumesDeps, row: VolumeRow): Promise<void> {
  await engine.removeVolume(row.name);
  store.tx((tx) => forgetVolume(tx, row));
}

/** The app that a volume goes back to; null when that is gone, runs several instances, or has something else there. */
function homeOf(db: Reader, row: VolumeRow): AppTarget | null {
  const home = row.app_id === null ? undefined : appById(db, row.app_id);
  if (home === undefined) return null;
  const app = appTarget(home);
  return app.spec.scale > 1 || nestedIn(db, app, row.path) !== undefined || hasFileIn(app, row.path) ? null : app;
}

function seenVolume(db: Reader, { actor }: OpContext, number: string | undefined): VolumeRow {
  const row = byPathNumber(number, (id) => volumeById(db, id));
  if (row === undefined || !sees(actor, row.project_id))
    throw new DavitError('not_found', 'There is no such volume, or you do not see it: list the volumes.');
  return row;
}

/** An address without a project says nothing of whose it is. */
function tellWhose({ store }: VolumesDeps, row: VolumeRow, status?: number): void {
  const about = { target: `${row.app}/volumes/${row.id}`, projectId: row.project_id };
  store.trail.about({ ...about, ...(status !== undefined && { status }) });
}

/** The statuses that tell who put data into the trash from who destroyed it. */
const TRASHED = 200;
const DESTROYED = 204;
