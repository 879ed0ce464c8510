import { type FileHandle, open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { RELEASE_CAPS, type ReleaseFile, type ReleaseFiles, type ReleasePath } from '../release-files.ts';
import { UnreadableError } from './io.ts';

const TEMPLATE = 'template.yaml';
const NOT_LOOKED_INTO = new Set(['node_modules', 'vendor']);
const MOST_FOLDERS = 20_000;

/**
 * Returns the folders that contain a template, sorted by path. Searches the subfolders of `root` only if `root` itself
 * contains no template.
 * @throws UnreadableError if no folder contains a template
 */
export async function templateFolders(root: string, shown: string): Promise<string[]> {
  const names = await readdir(root);
  if (names.includes(TEMPLATE) || names.includes('template.yml')) return [root];
  const found: string[] = [];
  const toRead = [root];
  for (let read = 0; toRead.length > 0; read++) {
    if (read === MOST_FOLDERS)
      throw new UnreadableError(`${shown} contains too many folders. Run the check for one of them.`);
    const folder = toRead.shift() ?? root;
    for (const entry of await readdir(folder, { withFileTypes: true })) {
      const isHidden = entry.name.startsWith('.') || NOT_LOOKED_INTO.has(entry.name);
      /*
       * Symbolic links are not followed. If the target of a link is inside the searched folder, the search also finds
       * the target directly.
       */
      if (entry.isDirectory() && !isHidden) toRead.push(join(folder, entry.name));
      if (entry.isFile() && entry.name === TEMPLATE) found.push(folder);
    }
  }
  if (found.length === 0)
    throw new UnreadableError(`${shown} and the folders below it contain no ${TEMPLATE}. Check the path.`);
  return found.sort();
}

/**
 * Returns the files of a template release from a folder. Returns `null` if the folder does not look like the Git
 * repository of a template.
 */
export async function releaseFilesIn(folder: string): Promise<ReleaseFiles | null> {
  const names = await readdir(folder);
  const isRepository = ['.git', 'README.md', 'icon.png', 'template.yml'].some((name) => names.includes(name));
  if (!isRepository) return null;
  const read = (path: ReleasePath) => releaseFile(join(folder, path), RELEASE_CAPS[path]);
  const [template, readme, icon] = await Promise.all([read(TEMPLATE), read('README.md'), read('icon.png')]);
  const hasTemplateYml = names.includes('template.yml');
  return { [TEMPLATE]: template, 'README.md': readme, 'icon.png': icon, hasTemplateYml };
}

async function releaseFile(path: string, cap: number): Promise<ReleaseFile> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return null;
    throw error;
  });
  if (!found?.isFile()) return 'missing';
  const bytes = await readAtMost(path, cap);
  return bytes.length > cap ? 'too-large' : bytes;
}

/**
 * Reads the first `cap` + 1 bytes of a file, or the whole file if it is smaller. More than `cap` bytes in the result
 * mean that the file is too large.
 */
export async function readAtMost(path: string, cap: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    return await readAtMostOf(file, cap);
  } finally {
    await file.close();
  }
}

/**
 * Reads the first `cap` + 1 bytes of an open file, or the whole file if it is smaller. More than `cap` bytes in the
 * result mean that the file is too large.
 */
export async function readAtMostOf(file: FileHandle, cap: number): Promise<Uint8Array> {
  const buffer = new Uint8Array(cap + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await file.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}
