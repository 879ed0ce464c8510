/**
 * Allows the apps of an installation to reuse volumes of deleted apps. If the installation task fails, the previous
 * owners get their volumes back.
 */
import type { KeptVolume } from '@davit/api';
import type { AppTarget } from '../../../app-spec/app-target.ts';
import type { Actor } from '../../../auth/context.ts';
import { sees } from '../../../authorization/lookup.ts';
import type { Reader } from '../../../db/store.ts';
import {
  type FormerOwner,
  giveBackVolume,
  listVolumes,
  type VolumeRow,
  volumeById,
  volumesOfApp,
} from '../../../db/tables/volume.ts';
import type { Changes } from '../plan/changes.ts';
import type { Build } from './build.ts';
import type { InstallWork } from './context.ts';
import type { InstallRecord } from './record.ts';
import { thingId } from './things.ts';

/** User's permission to reuse volumes of deleted apps. Volumes of the same installation need no permission. */
export type VolumeConsent = Pick<InstallRecord['adopt'], 'volumes' | 'projects'>;

/** App of the installation, and a path in its container at which a volume is mounted. */
interface MountPoint {
  reference: string;
  path: string;
}

/**
 * Returns the volume of a deleted app for a new app with the same name and mount path. The volume must be from the same
 * installation, or the user must allow its reuse.
 */
export function keptVolume(
  db: Reader,
  { reference, path }: MountPoint,
  { installId, adopts }: Pick<Build, 'installId' | 'adopts'>,
): VolumeRow | undefined {
  const kept = listVolumes(db, null).filter(
    (row) => row.state === 'kept' && row.app === reference && row.path === path,
  );
  return kept.findLast((row) => row.install_id === installId) ?? kept.findLast(adopts);
}

/**
 * Returns a function that checks whether a volume may be reused. The user must have allowed it, and must see the
 * volume's project now and at the time of the request.
 */
export function consentOf({ volumes, projects = null }: VolumeConsent, actor: Actor): Build['adopts'] {
  return ({ project_id: id }) => volumes && (projects === null || projects.includes(id)) && sees(actor, id);
}

/** Returns the volumes of deleted apps that an update would reuse for apps with the same name and mount path. */
export function reusedVolumes(db: Reader, actor: Actor, installId: number, { apps }: Changes): KeptVolume[] {
  const adopts = consentOf({ volumes: true }, actor);
  const added = [
    ...apps.add.flatMap(({ reference, volumes }) => volumes.map((path) => ({ reference, path }))),
    ...apps.change.flatMap(({ to, volumes }) => volumes.add.map((path) => ({ reference: to.reference, path }))),
  ];
  return added.flatMap((mountPoint) => {
    const row = hasVolume(db, mountPoint) ? undefined : keptVolume(db, mountPoint, { installId, adopts });
    if (row === undefined) return [];
    return [{ app: row.app, path: row.path, name: row.name, requires_adopt: row.install_id !== installId }];
  });
}

function hasVolume(db: Reader, { reference, path }: MountPoint): boolean {
  const app = thingId(db, { kind: 'app', reference });
  return app !== undefined && volumesOfApp(db, app).some((row) => row.path === path);
}

interface Adoption {
  volume: number;
  /** Id of the app that now uses the volume of a deleted app. */
  by: number;
  former: FormerOwner;
}

/**
 * Saves the new and the previous owner of a reused volume in the task. If the task fails, it can then return the volume
 * to the previous owner.
 */
export function noteAdoption(task: InstallWork, { id: by }: AppTarget, row: VolumeRow): void {
  const { id: volume, app_id, project_id, install_id } = row;
  const others = adoptionsOf(task).filter((one) => one.volume !== volume);
  task.state.set({ adopted: [...others, { volume, by, former: { app_id, project_id, install_id } }] });
}

/**
 * Returns reused volumes to their previous owners. A volume stays unchanged if a user has moved it to another app or to
 * the trash.
 */
export function giveBackAdopted(task: InstallWork): void {
  task.core.store.tx((tx) => {
    for (const { volume, by, former } of adoptionsOf(task)) {
      const row = volumeById(tx, volume);
      if (row !== undefined && row.app_id === by && row.state !== 'trash') giveBackVolume(tx, row, former);
    }
  });
}

function adoptionsOf({ state }: InstallWork): Adoption[] {
  return state.get<{ adopted: Adoption[] }>().adopted ?? [];
}
