import type { StatsFs } from 'node:fs';
import { statfs } from 'node:fs/promises';
import type { DiskUse } from './volume.ts';

/**
 * Returns the size and the free space of the file system that contains a path. Both values exclude the disk blocks that
 * are reserved for root.
 */
export async function diskUse(path: string): Promise<DiskUse> {
  return { path, ...sizesOf(await statfs(path)) };
}

/** Calculates sizes as `df` does for its percentage: the total size is the used space plus the available space. */
export function sizesOf({
  bsize,
  blocks,
  bfree,
  bavail,
}: Pick<StatsFs, 'bsize' | 'blocks' | 'bfree' | 'bavail'>): Omit<DiskUse, 'path'> {
  return { totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
