/** Files beside a Compose file: files that it mounts into containers, and files with environment variables. */
import { LOCAL_FILES_BYTES } from '@davit/api/local-files.ts';
import { at, listOf, textOf, type Values } from './values.ts';
import type { Variables } from './variables.ts';

/** Text files by their path relative to the Compose file, such as `nginx/site.conf`. */
export type LocalFiles = Readonly<Record<string, string>>;

export interface LocalFile {
  /** Path below the mounted folder. Empty for a mounted file. */
  below: string;
  content: string;
}

/**
 * Maximum number of files in one mounted folder. An app cannot have more files. The check of the template limits the
 * files of all folders together.
 */
export const MOST_MOUNTED_FILES = 64;
/** Maximum size of an imported file in bytes. An app's limit is higher, because references can have long values. */
export const LARGEST_FILE = 60_000;
/** Maximum size in characters of the local files in one template, where each use of a file counts. */
const MOST_USED = 2 * LOCAL_FILES_BYTES;
/** Number of characters that each use of a file counts in addition to the content. Also limits uses of empty files. */
const USE = 64;

/**
 * Remaining space for local files in one template. Without a limit, many services could use one file, and a small
 * Compose file could become a template of gigabytes.
 */
export class LocalRoom {
  #left = MOST_USED;

  /** Reserves space for the given contents. Returns `false` and reserves nothing if there is not enough space. */
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

/** Returns the path of the file with the content of a config, or an empty text if the config names no file. */
export function configPath(config: unknown, variables: Variables): string {
  return variables.plain(textOf(at(config, 'file')) ?? '');
}

/**
 * Normalizes a path of a Compose file: `./a/../b/` becomes `b`. Returns `null` if the path is empty, absolute, or
 * outside the folder of the Compose file. The folder itself is `.`.
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
 * Returns the files that a mounted file or folder adds to the container. Returns an empty list for too many files, and
 * for the folder of the Compose file, because the import knows only some files of this folder.
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
