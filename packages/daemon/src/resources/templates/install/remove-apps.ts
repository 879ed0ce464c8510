/** Takes the apps of an installation away: with their data, or leaving it for a later installation. */
import { DavitError } from '@davit/api';
import { appTarget } from '../../../app-spec/app-target.ts';
import { installById, type ResourceRow } from '../../../db/tables/template-install.ts';
import { listVolumes, type VolumeRow } from '../../../db/tables/volume.ts';
import { deleteApp } from '../../apps/settings.ts';
import { deleteVolume } from '../../volumes/trash.ts';
import { findApp } from './apps.ts';
import type { InstallRemoval } from './build.ts';
import { forgetThing, madeThings } from './resources.ts';
import { isThat } from './things.ts';

/** `keep`: volumes are kept. `trash`: they go to the trash. `destroy`: those that came with the installation are gone. */
export type DataEnd = 'keep' | 'trash' | 'destroy';

export async function removeApps(removal: InstallRemoval, data: DataEnd, since: number): Promise<void> {
  for (const row of madeThings(removal.core, removal.installId, 'app')) await removeApp(removal, row, data, since);
}

/** @param since volumes that are older were there before the installation, and stay */
export async function removeApp(
  removal: InstallRemoval,
  row: ResourceRow,
  data: DataEnd,
  since: number,
): Promise<void> {
  const { core, ctx } = removal;
  // What somebody has made under its name since is his.
  const app = isThat(core.store, row) ? findApp(core, row.reference) : undefined;
  if (app !== undefined) await deleteApp(core, ctx, appTarget(app));
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

/** What came with an update that failed and is not used any more: nothing was in it before. What is older is kept. */
export async function dropVolumes(removal: InstallRemoval, reference: string, since: number): Promise<void> {
  for (const volume of volumesLeft(removal, reference)) {
    if (volume.state === 'trash' && volume.created_at >= since) await deleteOnce(removal, volume);
  }
}

/** What a container still uses stays in the trash, from where it goes by itself. */
async function deleteOnce({ core, ctx }: InstallRemoval, { id, name }: VolumeRow): Promise<void> {
  try {
    await deleteVolume(core, ctx, String(id), name);
  } catch (error) {
    if (!(error instanceof DavitError)) throw error;
    ctx.log.warn({ volume: name, error: error.message }, 'a volume of an installation stays in the trash');
  }
}

/** Only of the project of the installation: another project of the same name may have come since. */
function volumesLeft({ core: { store }, installId }: InstallRemoval, reference: string): VolumeRow[] {
  const projectId = installById(store, installId)?.project_id ?? null;
  const projects = projectId === null ? null : [projectId];
  return listVolumes(store, projects).filter((row) => row.app === reference && row.state !== 'used');
}
