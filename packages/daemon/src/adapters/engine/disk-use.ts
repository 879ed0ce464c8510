import { statfs } from 'node:fs/promises';
import type { DiskUse } from './volume.ts';

/** How full the file system of a path is. What is reserved for root counts neither as there nor as free, as with `df`. */
export async function diskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { path, totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
