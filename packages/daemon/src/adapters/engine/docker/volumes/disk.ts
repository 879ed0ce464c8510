import { diskUse } from '../../disk-use.ts';
import type { DiskUse } from '../../volume.ts';
import type { DockerContext } from '../context.ts';

/**
 * Returns the use of the file system with the engine's data root, or `null` if the daemon cannot access that file
 * system.
 */
export async function readDisk({ client }: DockerContext): Promise<DiskUse | null> {
  if (!client.address.startsWith('unix:')) return null;
  const call = { doing: 'ask for the engine info', path: '/info' };
  const { DockerRootDir: path } = await client.call<{ DockerRootDir: string }>(call);
  return diskUse(path).catch((error: NodeJS.ErrnoException) => {
    // The engine runs in a virtual machine, or only root can enter the folder.
    if (error.code === 'ENOENT' || error.code === 'EACCES') return null;
    throw error;
  });
}
