/** Files beside a Compose file: files that it mounts into containers, and files with environment variables. */
import { at, listOf, textOf, type Values } from './values.ts';

/** Text files by their path relative to the Compose file, such as `nginx/site.conf`. */
export type LocalFiles = Readonly<Record<string, string>>;

export interface LocalFile {
  /** Path below the mounted folder. Empty for a mounted file. */
  below: string;
  content: string;
}

/** Maximum number of files in one mounted folder. An app cannot have more files. */
export const MOST_MOUNTED_FILES = 64;
/** Maximum size of a file in bytes. An app can have larger files, but the values of references can be long. */
export const LARGEST_FILE = 60_000;

/** Returns the files in `env_file` of a Compose service. */
export function envFilesOf(service: Values): { path: string; isRequired: boolean }[] {
  return listOf(service.env_file).map((entry) => ({
    path: textOf(entry) ?? textOf(at(entry, 'path')) ?? '',
    isRequired: at(entry, 'required') !== false,
  }));
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
 * Returns the files that a mount of a file or a folder brings into the container. Returns an empty list for more files
 * than an app can have.
 */
export function filesBelow(files: LocalFiles, source: string): LocalFile[] {
  const path = relativePath(source);
  if (path === null) return [];
  if (Object.hasOwn(files, path)) return [{ below: '', content: files[path] ?? '' }];
  const prefix = path === '.' ? '' : `${path}/`;
  const names = Object.keys(files).filter((name) => name.startsWith(prefix));
  if (names.length > MOST_MOUNTED_FILES) return [];
  return names.map((name) => ({ below: name.slice(prefix.length), content: files[name] ?? '' }));
}
