import { diskUse } from '../../disk-use.ts';
import type { DiskUse } from '../../volume.ts';
import type { DockerContext } from '../context.ts';

/**
 * Returns the size and the free space of the file system with Docker's data folder. Returns `null` if the daemon cannot
 * access the file system.
 */
export async function readDisk({ client }: DockerContext): Promise<DiskUse | null> {
  if (!client.address.startsWith('unix:')) return null;
  const call = { doing: 'read the system information of Docker', path: '/info' };
  const { DockerRootDir: path } = await client.call<{ DockerRootDir: string }>(call);
  return diskUse(path).catch((error: NodeJS.ErrnoException) => {
    /*
     * ENOENT means that Docker runs in a virtual machine, so the data folder is not on this server. EACCES means that
     * only root can read the data folder.
     */
    if (error.code === 'ENOENT' || error.code === 'EACCES') return null;
    throw error;
  });
}
