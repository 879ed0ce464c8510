import { statfs } from 'node:fs/promises';
import type { DiskUse } from './volume.ts';

/**
 * Returns the size and the free space of the file system that contains a path. Both values exclude the disk blocks that
 * are reserved for root.
 */
export async function diskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { path, totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
