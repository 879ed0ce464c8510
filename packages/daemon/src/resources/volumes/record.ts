/** What the operations on an app's volumes and on those of no app have in common. */
import { type AppVolume, isWithin, timestamp, type Volume } from '@davit/api';
import { EngineRefused, EngineUnavailable } from '../../adapters/engine/errors.ts';
import type { AppTarget } from '../../app-spec/app-target.ts';
import type { OpContext } from '../../auth/context.ts';
import type { Reader, Tx } from '../../db/store.ts';
import { type AppVolumeRow, trashVolume, type VolumeRow, volumesOfApp } from '../../db/tables/volume.ts';
import type { PageAsk } from '../../input/paging.ts';
import { termOf } from '../../trash/term.ts';
import type { VolumesDeps } from './deps.ts';

export interface VolumesAsk extends PageAsk {
  /** Measured as well, which may take seconds. */
  sizes?: boolean | undefined;
}

/** Moves one to the trash, for the days that the settings name now. */
export function toTrash(core: VolumesDeps, tx: Tx, row: VolumeRow): Volume {
  const { expires_at } = termOf(core, tx, core.settings().volumes.trash_days);
  trashVolume(tx, row, expires_at);
  return presentVolume({ ...row, state: 'trash', expires_at }, undefined);
}

/** The app's volume that one at this path would be in, or that would be in it. */
export function nestedIn(db: Reader, app: AppTarget, path: string): AppVolumeRow | undefined {
  return volumesOfApp(db, app.id).find((row) => isWithin(row.path, path) || isWithin(path, row.path));
}

/** Whether the app has a file that would be in a volume at this path. */
export function hasFileIn({ spec }: AppTarget, path: string): boolean {
  return spec.files.some((file) => isWithin(path, file.path));
}

/** @param sizes measured as well */
export async function presentAppVolume(
  core: VolumesDeps,
  ctx: OpContext,
  row: AppVolumeRow,
  sizes: boolean,
): Promise<AppVolume> {
  return presentShared(row, await sizeOf(core, ctx, row, sizes));
}

/** @param size in bytes; undefined: it was not asked for; null: it could not be said */
export function presentVolume(row: VolumeRow, size: number | null | undefined): Volume {
  const { app, state } = row;
  return { ...presentShared(row, size), app, state, expires_at: timestamp(row.expires_at) };
}

/** Null where the engine cannot say: a size is a service, and not worth an error. */
export async function sizeOf(core: VolumesDeps, { signal }: OpContext, { name }: VolumeRow, asked: boolean) {
  if (!asked) return undefined;
  return core.engine.volumeSize(name, signal).catch((error: unknown) => {
    if (error instanceof EngineUnavailable || error instanceof EngineRefused) return null;
    throw error;
  });
}

function presentShared({ id, path, name, created_at }: VolumeRow, size: number | null | undefined): AppVolume {
  return { id, path, name, ...(size !== undefined && { size_bytes: size }), created_at: timestamp(created_at) };
}
