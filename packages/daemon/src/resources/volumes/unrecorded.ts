/**
 * Volumes of this instance at the engine that no record accounts for: what an older copy of the state leaves behind. They
 * hold data of apps and databases, so nothing removes them, and no new volume gets the name of one.
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

/** Those of the names that are ours and have no record. */
export function unrecordedOf(store: Store, davitId: string, names: readonly string[]): NamedVolume[] {
  return ours(store, davitId, names);
}

/** Keeps new volumes, databases and object stores from taking over data that is not theirs. */
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
