import { type AppVolume, areNested, isWithin, timestamp, type Volume } from '@davit/api';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { type AppVolumeRow, trashVolume, type VolumeRow, volumesOfApp } from '../../db/tables/volume.ts';
import type { PageQuery } from '../../input/paging.ts';
import { termOf } from '../../trash/term.ts';
import type { VolumesDeps } from './deps.ts';

export interface VolumesRequest extends PageQuery {
  /** Whether Davit measures the sizes of the volumes. A measurement can take several seconds. */
  sizes?: boolean | undefined;
}

/**
 * Moves a volume to the trash. The setting `volumes.trash_days` is the number of days after which Davit deletes the
 * volume.
 */
export function toTrash(core: VolumesDeps, tx: Tx, row: VolumeRow): Volume {
  const { expires_at } = termOf(core, tx, core.settings().volumes.trash_days);
  trashVolume(tx, row, expires_at);
  return presentVolume({ ...row, state: 'trash', expires_at }, undefined);
}

/**
 * Returns a volume of the app whose mount path is inside the given path, or contains it. Returns `undefined` if there
 * is none.
 */
export function nestedIn(db: Reader, app: AppTarget, path: string): AppVolumeRow | undefined {
  return volumesOfApp(db, app.id).find((row) => areNested(row.path, path));
}

/**
 * Returns whether the app has a configuration file in the folder where a volume is mounted.
 * @param path mount path of the volume
 */
export function hasFileIn({ spec }: AppTarget, path: string): boolean {
  return spec.files.some((file) => isWithin(path, file.path));
}

/**
 * Returns a volume of an app in the form of the API response.
 * @param sizes whether to measure the size
 */
export async function presentAppVolume(
  core: VolumesDeps,
  ctx: OpContext,
  row: AppVolumeRow,
  sizes: boolean,
): Promise<AppVolume> {
  return presentShared(row, await sizeOf(core, ctx, row, sizes));
}

/**
 * Converts a volume to the format of the HTTP API.
 * @param size size in bytes, or `null` if the size is unknown. It is `undefined` if the request did not ask for sizes.
 */
export function presentVolume(row: VolumeRow, size: number | null | undefined): Volume {
  const { app, state } = row;
  return { ...presentShared(row, size), app, state, expires_at: timestamp(row.expires_at) };
}

/**
 * Returns the size of a volume in bytes, or `null` if Docker cannot measure it now. Returns `undefined` if the request
 * did not ask for sizes.
 */
export async function sizeOf(core: VolumesDeps, { signal }: OpContext, { name }: VolumeRow, isRequested: boolean) {
  if (!isRequested) return undefined;
  return core.engine.volumeSize(name, signal).catch((error: unknown) => {
    if (error instanceof EngineUnavailable || error instanceof EngineRefused) return null;
    throw error;
  });
}

function presentShared({ id, path, name, created_at }: VolumeRow, size: number | null | undefined): AppVolume {
  return { id, path, name, ...(size !== undefined && { size_bytes: size }), created_at: timestamp(created_at) };
}
