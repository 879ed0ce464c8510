import { statfs } from 'node:fs/promises';
import type { DiskUse } from '../engine.ts';
import type { DockerContext } from './context.ts';

/** The file system of the engine's data root; null when it is on a machine whose files cannot be seen from here. */
export async function readDisk({ client }: DockerContext): Promise<DiskUse | null> {
  if (!client.address.startsWith('unix:')) return null;
  const { DockerRootDir: path } = await client.call<{ DockerRootDir: string }>({
    doing: 'ask for the engine info',
    path: '/info',
  });
  return diskUse(path).catch((error: NodeJS.ErrnoException) => {
    // An engine in a virtual machine, or a folder that only root may enter.
    if (error.code === 'ENOENT' || error.code === 'EACCES') return null;
    throw error;
  });
}

/** How full the file system of a path is. What is reserved for root counts neither as there nor as free, as with `df`. */
async function diskUse(path: string): Promise<DiskUse> {
  const { bsize, blocks, bfree, bavail } = await statfs(path);
  return { path, totalBytes: (blocks - bfree + bavail) * bsize, freeBytes: bavail * bsize };
}
