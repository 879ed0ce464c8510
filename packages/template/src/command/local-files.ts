/** Reads the files beside a Compose file that its services mount or read variables from. */
import { constants } from 'node:fs';
import { open, readdir, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { LOCAL_FILES_BYTES, MOST_LOCAL_FILES } from '@davit/api/local-files.ts';
import { LARGEST_FILE, type LocalFiles, type LocalPath, localPaths, MOST_MOUNTED_FILES } from '../import/index.ts';
import { readAtMostOf } from './folder.ts';

/**
 * `O_NOFOLLOW`: another program may replace the checked file with a symbolic link. `O_NONBLOCK`: without it, a named
 * pipe would block the command until another program writes to the pipe.
 */
const OPEN_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Returns the text files that a Compose file refers to, by their path relative to `folder`. Leaves out a path that does
 * not exist, that leads out of the folder through a symbolic link, or that contains a file which is large or no text.
 * Also leaves out a path whose files would exceed a limit of the API. The import then reports that it did not read the
 * path.
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

/** Returns the file at a path, or all files in the folder at a path. Returns an empty list if it can read only a part. */
async function filesAt(root: string, { path, mayBeFolder }: LocalPath): Promise<Found[]> {
  const names = await namesAt(root, path, mayBeFolder);
  if (names === null || names.length > MOST_MOUNTED_FILES) return [];
  const found = await Promise.all(names.map((name) => fileAt(root, name)));
  return found.every((file) => file !== null) ? found : [];
}

/** Returns the sorted paths of all files at a path, or `null` if the path does not exist or is outside `root`. */
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
      // A folder with many files contains no settings, so do not read the remaining files.
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
    // The decoder throws a TypeError for a file that is not UTF-8.
    if (error instanceof TypeError || isUnreadable(error)) return null;
    throw error;
  }
}

/** Returns the content of a regular file, or `null` for a large file, a folder, a named pipe or a device. */
async function smallFile(path: string): Promise<Uint8Array | null> {
  const file = await open(path, OPEN_FLAGS);
  try {
    // The checks use the opened file, because another program may replace the file at the path.
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
