import { statfs } from 'node:fs/promises';
import type { DiskUse } from './volume.ts';

/**
 * Returns the size and the free space of the file system that contains a path. Blocks that are reserved for root count
 * neither as size nor as free space, as with `df`.
 */
export async function diskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { path, totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
