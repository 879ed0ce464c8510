/** Reads the files beside a Compose file that its services mount or read variables from. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { LOCAL_FILES_BYTES, MOST_LOCAL_FILES } from '@davit/api/local-files.ts';
import { LARGEST_FILE, type LocalFiles, type LocalPath, localPaths, MOST_MOUNTED_FILES } from '../import/index.ts';

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
      // A large folder is no folder with settings. Do not read all of it.
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
    const found = await stat(real);
    // Reading a named pipe would wait for a program that writes to it.
    if (!isInside(root, real) || !found.isFile() || found.size > LARGEST_FILE) return null;
    const content = new TextDecoder('utf-8', { fatal: true }).decode(await readFile(real));
    return content.includes('\0') ? null : { path, content };
  } catch (error) {
    // The decoder throws a TypeError for a file that is not UTF-8.
    if (error instanceof TypeError || isUnreadable(error)) return null;
    throw error;
  }
}

function isInside(root: string, path: string): boolean {
  const from = relative(root, path);
  return from !== '..' && !from.startsWith(`..${sep}`) && !isAbsolute(from);
}

function isUnreadable(error: unknown): boolean {
  const codes = ['ENOENT', 'ENOTDIR', 'EISDIR', 'EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG'];
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
