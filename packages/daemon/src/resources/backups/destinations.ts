import { join } from 'node:path';
import type { BackupDestination as Kept } from '@davit/api';
import type { BackupsDeps } from './deps.ts';
import type { BackupDestination } from './destination.ts';
import { DiskDestination } from './disk-destination.ts';
import { StoreDestination } from './store-destination.ts';

export const BACKUPS_FOLDER = 'backups';

/**
 * Returns the destination of a backup. The function does not check that the object store exists. If the object store is
 * missing, the first use of the destination throws an error.
 */
export async function destinationOf(core: BackupsDeps, kept: Kept): Promise<BackupDestination> {
  return kept.kind === 'disk' ? diskDestination(core) : new StoreDestination(core, kept);
}

export function diskDestination({ facts, diskGuard }: Pick<BackupsDeps, 'facts' | 'diskGuard'>): DiskDestination {
  return new DiskDestination(join(facts.dataDir, BACKUPS_FOLDER), { guard: diskGuard });
}
