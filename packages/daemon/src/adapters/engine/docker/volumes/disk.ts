import { diskUse } from '../../disk-use.ts';
import type { DiskUse } from '../../volume.ts';
import type { DockerContext } from '../context.ts';

/** The file system of the engine's data root; null when it is on a machine whose files cannot be seen from here. */
export async function readDisk({ client }: DockerContext): Promise<DiskUse | null> {
  if (!client.address.startsWith('unix:')) return null;
  const call = { doing: 'ask for the engine info', path: '/info' };
  const { DockerRootDir: path } = await client.call<{ DockerRootDir: string }>(call);
  return diskUse(path).catch((error: NodeJS.ErrnoException) => {
    // An engine in a virtual machine, or a folder that only root may enter.
    if (error.code === 'ENOENT' || error.code === 'EACCES') return null;
    throw error;
  });
}
