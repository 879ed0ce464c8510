import type { DiskUse } from '../engine.ts';
import type { DockerContext } from './context.ts';

/** The file system of the engine's data root. */
export async function readDisk(_context: DockerContext): Promise<DiskUse | null> {
  throw new Error('not made yet');
}
