/**
 * Removes the apps of an installation. Also removes the volumes of the apps, unless the user wants to keep the volumes.
 */
import { DavitError } from '@davit/api';
import { appTarget } from '../../../app-spec/app-target.ts';
import type { ResourceRow } from '../../../db/tables/template-install.ts';
import { listVolumes, noteInstallOfVolumes, type VolumeRow } from '../../../db/tables/volume.ts';
import { deleteApp } from '../../apps/settings.ts';
import { deleteVolume } from '../../volumes/trash.ts';
import { findApp } from './apps.ts';
import type { InstallRemoval } from './build.ts';
import { forgetThing, madeThings } from './resources.ts';
import { isThat } from './things.ts';

/**
 * Decides what happens to volumes when apps are removed. `keep` keeps the volumes, `trash` moves them to the trash, and
 * `destroy` deletes the volumes of the installation.
 */
export type DataEnd = 'keep' | 'trash' | 'destroy';

export async function removeApps(removal: InstallRemoval, data: DataEnd, since: number): Promise<void> {
  for (const row of madeThings(removal.core, removal.installId, 'app')) await removeApp(removal, row, data, since);
}

/**
 * Removes an app of an installation and its volumes.
 * @param since start of the installation, in milliseconds since the epoch. Volumes that are older are not removed.
 */
export async function removeApp(
  removal: InstallRemoval,
  row: ResourceRow,
  data: DataEnd,
  since: number,
): Promise<void> {
  const { core, ctx } = removal;
  // Do not remove an app that a user created later with the same name.
  const app = isThat(core.store, row) ? findApp(core, row.reference) : undefined;
  if (app !== undefined) {
    // Save the installation id in the rows of the volumes, because these rows remain after the app's row is deleted.
    core.store.tx((tx) => noteInstallOfVolumes(tx, app.id, removal.installId));
    await deleteApp(core, ctx, appTarget(app));
  }
  if (data !== 'keep') await removeVolumes(removal, row.reference, data, since);
  forgetThing(core, row);
}

async function removeVolumes(removal: InstallRemoval, reference: string, data: DataEnd, since: number): Promise<void> {
  for (const volume of volumesLeft(removal, reference)) {
    if (volume.created_at < since) continue;
    if (volume.state === 'kept') await deleteOnce(removal, volume);
    if (data === 'destroy') await deleteOnce(removal, volume);
  }
}

/**
 * Deletes the unused volumes that a failed update created. Volumes that existed before the update stay, because they
 * contain data.
 */
export async function dropVolumes(removal: InstallRemoval, reference: string, since: number): Promise<void> {
  for (const volume of volumesLeft(removal, reference)) {
    if (volume.state === 'trash' && volume.created_at >= since) await deleteOnce(removal, volume);
  }
}

/**
 * Deletes a volume permanently. If a container still uses the volume, it stays in the trash, and Davit deletes it later
 * automatically.
 */
async function deleteOnce({ core, ctx }: InstallRemoval, { id, name }: VolumeRow): Promise<void> {
  try {
    await deleteVolume(core, ctx, String(id), name);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    ctx.log.warn(
      { volume: name, error: error.message },
      'a volume of a template installation could not be deleted; it stays in the trash for now',
    );
  }
}

/**
 * Returns the unused volumes of an app that belonged to the installation. A deleted app with the same
 * `project/environment/name` may have left other volumes.
 */
function volumesLeft({ core: { store }, installId }: InstallRemoval, reference: string): VolumeRow[] {
  return listVolumes(store, null).filter(
    (row) => row.install_id === installId && row.app === reference && row.state !== 'used',
  );
}
