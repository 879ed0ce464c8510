import type { GroupFile } from '../../group.ts';
import type { DockerContext } from '../context.ts';

/**
 * Writes files into a container that has never started. A file replaces an existing file with the same path, but cannot
 * replace a folder.
 */
export async function putFiles(
  { client }: DockerContext,
  id: string,
  files: readonly GroupFile[],
  signal?: AbortSignal,
): Promise<void> {
  /*
   * The import is dynamic, because `tar-stream` loads many other modules. A static import would slow down the start of
   * the daemon.
   */
  const { pack } = await import('tar-stream');
  const archive = pack();
  for (const { path, bytes, mode, uid = 0, gid = 0 } of files) {
    archive.entry({ name: path.slice(1), mode, uid, gid, mtime: new Date(0) }, Buffer.from(bytes));
  }
  archive.finalize();
  const path = `/containers/${id}/archive`;
  const query = { path: '/', noOverwriteDirNonDir: true };
  await client.call({ doing: 'put files into container', method: 'PUT', path, query, archive, signal });
}
