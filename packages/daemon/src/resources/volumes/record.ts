import { type AppVolume, isWithin, timestamp, type Volume } from '@davit/api';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { type AppVolumeRow, trashVolume, type VolumeRow, volumesOfApp } from '../../db/tables/volume.ts';
import type { PageQuery } from '../../input/paging.ts';
import { termOf } from '../../trash/term.ts';
import type { VolumesDeps } from './deps.ts';

export interface VolumesRequest extends PageQuery {
  /** Whether to measure the sizes of volumes, which can take seconds. */
  sizes?: boolean | undefined;
}

/** Moves a volume to the trash, for the number of days in the setting `volumes.trash_days`. */
export function toTrash(core: VolumesDeps, tx: Tx, row: VolumeRow): Volume {
  const { expires_at } = termOf(core, tx, core.settings().volumes.trash_days);
  trashVolume(tx, row, expires_at);
  return presentVolume({ ...row, state: 'trash', expires_at }, undefined);
}

/**
 * Returns a volume of the app with an overlapping mount path: one path is inside the other. Returns `undefined` if
 * there is none.
 */
export function nestedIn(db: Reader, app: AppTarget, path: string): AppVolumeRow | undefined {
  return volumesOfApp(db, app.id).find((row) => isWithin(row.path, path) || isWithin(path, row.path));
}

/**
 * Returns whether a configuration file of the app is in the folder where a volume is mounted.
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
 * @param size size in bytes, `null` if the size is unknown, or `undefined` if the request did not ask for sizes
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
