/**
 * Volumes of this instance in the engine without a record, which a restored older copy of the database leaves behind.
 * They contain data of apps and databases, so Davit never removes them automatically, and no new volume gets one of
 * their names.
 */
import { namePrefix } from '../../adapters/engine/names.ts';
import type { Store } from '../../db/store.ts';
import { keepNumberFree, recordedVolumes, type VolumeKind } from '../../db/tables/engine-volume.ts';

/** A volume without a record, described by its name. */
export interface NamedVolume {
  name: string;
  kind: VolumeKind;
  number: number;
}

/** Returns the names that belong to this instance and have no record. */
export function unrecordedOf(store: Store, davitId: string, names: readonly string[]): NamedVolume[] {
  return ours(store, davitId, names);
}

/** Prevents new volumes, databases and object stores from using the data of an unrecorded volume. */
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
