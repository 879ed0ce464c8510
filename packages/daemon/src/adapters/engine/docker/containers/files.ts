/** Files of ours in containers that were made and not started yet. */
import type { GroupFile } from '../../group.ts';
import type { DockerContext } from '../context.ts';

/** What is there under the same path already is replaced, unless it is a folder. */
export async function putFiles(
  { client }: DockerContext,
  id: string,
  files: readonly GroupFile[],
  signal?: AbortSignal,
): Promise<void> {
  // Many modules, which no start needs.
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
