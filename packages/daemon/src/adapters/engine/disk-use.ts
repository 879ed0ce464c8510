import { statfs } from 'node:fs/promises';
import type { DiskUse } from './volume.ts';

/**
 * Returns the size and the free space of a path's file system. Blocks reserved for root count neither as total nor as
 * free, as with `df`.
 */
export async function diskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { path, totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
