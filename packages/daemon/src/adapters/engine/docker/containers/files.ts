import type { GroupFile } from '../../group.ts';
import type { DockerContext } from '../context.ts';

/**
 * Writes files into a container that has not started yet. Replaces existing files with the same path, but not folders.
 */
export async function putFiles(
  { client }: DockerContext,
  id: string,
  files: readonly GroupFile[],
  signal?: AbortSignal,
): Promise<void> {
  // The import is dynamic because the module loads many others, and the start of the daemon needs none of them.
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
