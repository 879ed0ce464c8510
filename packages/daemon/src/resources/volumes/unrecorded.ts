/**
 * Docker volumes without a database row. They are found after a restore of an older database. Davit never removes these
 * volumes, because they contain data.
 */
import { namePrefix } from '../../adapters/engine/names.ts';
import type { Store } from '../../db/store.ts';
import { keepNumberFree, recordedVolumes, type VolumeKind } from '../../db/tables/engine-volume.ts';

/** Docker volume that has no row in Davit's database. `kind` and `number` are parsed from the name of the volume. */
export interface NamedVolume {
  name: string;
  kind: VolumeKind;
  number: number;
}

/** Returns the names of Docker volumes that belong to this instance and have no database row. */
export function unrecordedOf(store: Store, davitId: string, names: readonly string[]): NamedVolume[] {
  return ours(store, davitId, names);
}

/**
 * Reserves the numbers in the names of Docker volumes without a database row. Otherwise, a new volume could get the
 * same name and the old data.
 */
export function keepNumbersFree(store: Store, davitId: string, names: readonly string[]): void {
  const found = ours(store, davitId, names);
  if (found.length === 0) return;
  store.tx((tx) => {
    for (const { kind, number } of found) keepNumberFree(tx, kind, number);
  });
}

function ours(store: Store, davitId: string, names: readonly string[]): NamedVolume[] {
  const recorded = recordedVolumes(store);
  const start = namePrefix(davitId);
  return names.flatMap((name) => {
    const [, kind, number] = /^(v|db|s3)(\d{1,15})$/.exec(name.startsWith(start) ? name.slice(start.length) : '') ?? [];
    if (kind === undefined || recorded.has(name)) return [];
    return [{ name, kind: kind as VolumeKind, number: Number(number) }];
  });
}
