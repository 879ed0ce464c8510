/**
 * Reads files beside a Compose file. The services in the Compose file mount these files or read variables from them.
 */
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { LOCAL_FILES_BYTES, MOST_LOCAL_FILES } from '@davit/api/local-files.ts';
import { LARGEST_FILE, type LocalFiles, type LocalPath, localPaths, MOST_MOUNTED_FILES } from '../import/index.ts';
import { readAtMostOf } from './folder.ts';

/**
 * Flags for opening files. `O_NOFOLLOW` is necessary because another program may replace the checked file with a
 * symbolic link. Without `O_NONBLOCK`, a named pipe could block the command.
 */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Returns the text files to which a Compose file refers, by path relative to `folder`. A path is omitted if it does not
 * exist or leads out of the folder. A path is also omitted if it contains a large or binary file, or exceeds a limit of
 * the API. The import reports each omitted path.
 */
export async function localFilesBeside(folder: string, compose: string): Promise<LocalFiles> {
  const root = await realpath(folder);
  const files: Record<string, string> = {};
  let bytesLeft = LOCAL_FILES_BYTES;
  let filesLeft = MOST_LOCAL_FILES;
  for (const path of localPaths(compose)) {
    const found = await filesAt(root, path);
    const bytes = found.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes > bytesLeft || found.length > filesLeft) continue;
    bytesLeft -= bytes;
    filesLeft -= found.length;
    for (const file of found) files[file.path] = file.content;
  }
  return files;
}

interface Found {
  path: string;
  content: string;
}

/**
 * Returns the file at a path, or all files if the path is a folder. If some of the files cannot be read, returns an
 * empty list.
 */
async function filesAt(root: string, { path, mayBeFolder }: LocalPath): Promise<Found[]> {
  const names = await namesAt(root, path, mayBeFolder);
  if (names === null || names.length > MOST_MOUNTED_FILES) return [];
  const found = await Promise.all(names.map((name) => fileAt(root, name)));
  return found.every((file) => file !== null) ? found : [];
}

/** Returns the sorted paths of all files at a path. Returns `null` if the path does not exist or is outside `root`. */
async function namesAt(root: string, path: string, mayBeFolder: boolean): Promise<string[] | null> {
  try {
    const real = await realpath(join(root, path));
    if (!isInside(root, real)) return null;
    if ((await stat(real)).isFile()) return [path];
    if (!mayBeFolder) return null;
    const names: string[] = [];
    for (const entry of await readdir(real, { withFileTypes: true })) {
      const below = `${path}/${entry.name}`;
      const more = entry.isDirectory() ? ((await namesAt(root, below, true)) ?? []) : [below];
      names.push(...more);
      // A folder with so many files does not contain settings, so the remaining files are not read.
      if (names.length > MOST_MOUNTED_FILES) return names;
    }
    return names.sort();
  } catch (error) {
    if (isUnreadable(error)) return null;
    throw error;
  }
}

async function fileAt(root: string, path: string): Promise<Found | null> {
  try {
    const real = await realpath(join(root, path));
    if (!isInside(root, real)) return null;
    const bytes = await smallFile(real);
    if (bytes === null) return null;
    const content = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return content.includes('\0') ? null : { path, content };
  } catch (error) {
    // The decoder throws a TypeError if a file is not UTF-8.
    if (error instanceof TypeError || isUnreadable(error)) return null;
    throw error;
  }
}

/** Returns the content of a regular file. Returns `null` for a large file, a folder, a named pipe or a device. */
async function smallFile(path: string): Promise<Uint8Array | null> {
  const file = await open(path, OPEN_FLAGS);
  try {
    // The checks use the open file, because another program may replace the file at this path.
    if (!(await file.stat()).isFile()) return null;
    const bytes = await readAtMostOf(file, LARGEST_FILE);
    return bytes.length > LARGEST_FILE ? null : bytes;
  } finally {
    await file.close();
  }
}

function isInside(root: string, path: string): boolean {
  const from = relative(root, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

function isUnreadable(error: unknown): boolean {
  // ENXIO: the path is a socket.
  const codes = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENXIO'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
