/** Reads the files beside a Compose file that its services mount or read variables from. */
import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { type LocalFiles, type LocalPath, localPaths, MOST_LOCAL_BYTES } from '../import/index.ts';

/** Maximum number of files in one mounted folder. An app cannot have more files. */
const MOST_FILES = 64;
const LARGEST = 60_000;

/**
 * Returns the text files that a Compose file refers to, by their path relative to `folder`. Leaves out a path that does
 * not exist, that leads out of the folder through a symbolic link, or that contains a file which is large or no text.
 * The import then reports that it did not read the path.
 */
export async function localFilesBeside(folder: string, compose: string): Promise<LocalFiles> {
  const root = await realpath(folder);
  const files: Record<string, string> = {};
  let left = MOST_LOCAL_BYTES;
  for (const path of localPaths(compose)) {
    const found = await filesAt(root, path);
    const bytes = found.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
    if (bytes > left) continue;
    left -= bytes;
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
  if (names === null || names.length > MOST_FILES) return [];
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
      if (names.length > MOST_FILES) return names;
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
    const { size } = await stat(real);
    if (!isInside(root, real) || size > LARGEST) return null;
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
