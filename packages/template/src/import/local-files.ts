/** Files in the folder of a Compose file: files that services mount, and files with environment variables. */
import { LOCAL_FILES_BYTES } from '@davit/api/local-files.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** Map from path to content of a text file. The path is relative to the Compose file, such as `nginx/site.conf`. */
export type LocalFiles = Readonly<Record<string, string>>;

export interface LocalFile {
  /** Path relative to the mounted folder. Empty if the file itself is mounted. */
  below: string;
  content: string;
}

/**
 * Maximum number of files in one mounted folder, because an app cannot have more files. The template check limits the
 * files of all folders together.
 */
export const MOST_MOUNTED_FILES = 64;
/**
 * Maximum size of an imported file in bytes. The limit for files of an app is higher, because references can have long
 * values.
 */
export const LARGEST_FILE = 60_000;
/**
 * Maximum total size of local files in one template, in characters. If a file is used several times, each use is
 * counted.
 */
const MOST_USED = 2 * LOCAL_FILES_BYTES;
/**
 * Number of characters that are added to the content's size for each use of a file. Therefore, the number of empty
 * files is also limited.
 */
const USE = 64;

/**
 * Remaining size for local files in one template. Many services can use the same file. Without a limit, a small Compose
 * file could become a template of gigabytes.
 */
export class LocalRoom {
  #left = MOST_USED;

  /** Reserves space for the given file contents. If there is not enough space, reserves nothing and returns `false`. */
  take(contents: readonly string[]): boolean {
    const size = contents.reduce((sum, { length }) => sum + length + USE, 0);
    if (size > this.#left) return false;
    this.#left -= size;
    return true;
  }
}

/** Returns the files in `env_file` of a Compose service. */
export function envFilesOf(service: Values, variables: Variables): { path: string; isRequired: boolean }[] {
  return listOf(service.env_file).map((entry) => ({
    path: variables.plain(textOf(entry) ?? textOf(at(entry, 'path')) ?? ''),
    isRequired: at(entry, 'required') !== false,
  }));
}

/** Returns the path of the file with the content of a config. Returns an empty text if the config refers to no file. */
export function configPath(config: unknown, variables: Variables): string {
  return variables.plain(textOf(at(config, 'file')) ?? '');
}

/**
 * Normalizes a path of a Compose file: `./a/../b/` becomes `b`. The folder of the Compose file is `.`. Returns `null`
 * if the path is empty, absolute, or outside this folder.
 */
export function relativePath(written: string): string | null {
  if (written === '' || /^[/~\\]|^[a-zA-Z]:|\0/.test(written)) return null;
  const parts: string[] = [];
  for (const part of written.split('/')) {
    if (part === '..' && parts.pop() === undefined) return null;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.join('/') || '.';
}

/**
 * Returns the files that a mounted file or folder adds to the container. Returns an empty list if there are too many
 * files. Also returns an empty list for the folder of the Compose file, because only some files of this folder were
 * read.
 */
export function filesBelow(files: LocalFiles, source: string): LocalFile[] {
  const path = relativePath(source);
  if (path === null || path === '.') return [];
  if (Object.hasOwn(files, path)) return [{ below: '', content: files[path] ?? '' }];
  const prefix = `${path}/`;
  const names = Object.keys(files).filter((name) => name.startsWith(prefix));
  if (names.length > MOST_MOUNTED_FILES) return [];
  return names.map((name) => ({ below: name.slice(prefix.length), content: files[name] ?? '' }));
}
