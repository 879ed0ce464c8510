/** Kept volumes of deleted apps that the apps of an installation adopt. A failed task gives them back. */
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

/** Consent of a user to adopt kept volumes that no app of the installation had. */
export type VolumeConsent = Pick<InstallRecord['adopt'], 'volumes' | 'projects'>;

/** Path of an app at which a volume is mounted. */
interface Place {
  reference: string;
  path: string;
}

/**
 * Returns the kept volume that an installation adopts for a path of an app, or `undefined`. Volumes of the
 * installation's own earlier apps need no consent. Other volumes need the consent of the user.
 */
export function keptVolume(
  db: Reader,
  { reference, path }: Place,
  { installId, adopts }: Pick<Build, 'installId' | 'adopts'>,
): VolumeRow | undefined {
  const kept = listVolumes(db, null).filter(
    (row) => row.state === 'kept' && row.app === reference && row.path === path,
  );
  return kept.findLast((row) => row.install_id === installId) ?? kept.findLast(adopts);
}

/**
 * Returns a function that decides whether the user consents to adopt a volume. The user must have seen the volume's
 * project at the request and must still see it. The id of the project is compared, because another project can have its
 * name now.
 */
export function consentOf({ volumes, projects = null }: VolumeConsent, actor: Actor): Build['adopts'] {
  return ({ project_id: id }) => volumes && (projects === null || projects.includes(id)) && sees(actor, id);
}

/** Returns the kept volumes at the paths where an update adds volumes. */
export function keptVolumesTold(db: Reader, actor: Actor, installId: number, { apps }: Changes): KeptVolume[] {
  const adopts = consentOf({ volumes: true }, actor);
  const added = [
    ...apps.add.flatMap(({ reference, volumes }) => volumes.map((path) => ({ reference, path }))),
    ...apps.change.flatMap(({ to, volumes }) => volumes.add.map((path) => ({ reference: to.reference, path }))),
  ];
  return added.flatMap((place) => {
    const row = hasVolume(db, place) ? undefined : keptVolume(db, place, { installId, adopts });
    if (row === undefined) return [];
    return [{ app: row.app, path: row.path, name: row.name, requires_adopt: row.install_id !== installId }];
  });
}

function hasVolume(db: Reader, { reference, path }: Place): boolean {
  const app = thingId(db, { kind: 'app', reference });
  return app !== undefined && volumesOfApp(db, app).some((row) => row.path === path);
}

interface Adoption {
  volume: number;
  /** Id of the app that adopts the volume. */
  by: number;
  former: FormerOwner;
}

/**
 * Records in the task that an app will adopt a volume. A failed task can then give the volume back, even after a crash.
 */
export function noteAdoption(task: InstallWork, { id: by }: AppTarget, row: VolumeRow): void {
  const { id: volume, app_id, project_id, install_id } = row;
  const others = adoptionsOf(task).filter((one) => one.volume !== volume);
  task.state.set({ adopted: [...others, { volume, by, former: { app_id, project_id, install_id } }] });
}

/**
 * Gives back the volumes that the task adopted. A volume stays if a user has moved it since, or put it into the trash.
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
