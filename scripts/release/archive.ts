/** Writes a reproducible archive: its bytes depend only on the names, modes and contents of its files. */
import { createWriteStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path/posix';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Headers, type Pack, pack } from 'tar-stream';

export interface ReleaseFile {
  /** Path in the release. */
  path: string;
  executable?: boolean;
  /** The contents, or the path of a file with the contents. */
  contents: Uint8Array | { file: string };
}

/** Time of all files in an archive. GNU tar warns about the time 0. */
const TIME = new Date('2020-01-01T00:00:00Z');
const COMMON = { uid: 0, gid: 0, uname: '', gname: '', mtime: TIME } as const;

/** Returns the folders and files of an archive in their order, by byte value and not by locale. */
export function entriesOf(files: readonly ReleaseFile[], top: string): (Headers & { file: ReleaseFile | null })[] {
  const folders = new Set<string>();
  for (const { path } of files) for (let at = path; at !== '.'; at = dirname(at)) folders.add(dirname(at));
  const paths = files.map(({ path }) => path);
  const twice = paths.find((path, at) => paths.indexOf(path) !== at || folders.has(path));
  if (twice !== undefined) throw new Error(`write archive: ${twice} is in the release twice`);
  const entries = [
    ...[...folders].map((path) => ({ path, name: `${top}/${path === '.' ? '' : `${path}/`}`, file: null })),
    ...files.map((file) => ({ path: file.path, name: `${top}/${file.path}`, file })),
  ];
  entries.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return entries.map(({ name, file }) => ({
    ...COMMON,
    name,
    file,
    type: file === null ? ('directory' as const) : ('file' as const),
    mode: file === null || file.executable ? 0o755 : 0o644,
  }));
}

/**
 * Writes files into a compressed archive.
 * @param top folder of all files in the archive
 */
export async function writeArchive(files: readonly ReleaseFile[], top: string, out: string): Promise<void> {
  const archive = pack();
  // Node writes neither a name nor a time into the header of the compressed file.
  const written = pipeline(archive, createGzip({ level: 9 }), createWriteStream(out));
  await Promise.all([written, addAll(archive, files, top)]);
}

async function addAll(archive: Pack, files: readonly ReleaseFile[], top: string): Promise<void> {
  for (const { file, ...header } of entriesOf(files, top)) {
    const contents = file === null ? Buffer.alloc(0) : await contentsOf(file);
    await new Promise<void>((resolve, reject) => {
      archive.entry({ ...header, size: contents.length }, contents, (error) => (error ? reject(error) : resolve()));
    });
  }
  archive.finalize();
}

/** Returns the contents of a file of the release. */
export async function contentsOf({ contents }: ReleaseFile): Promise<Buffer> {
  return 'file' in contents ? readFile(contents.file) : Buffer.from(contents);
}
