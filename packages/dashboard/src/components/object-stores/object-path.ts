import { shellWord } from '@davit/api';

/**
 * Folder in an S3 bucket. S3 has no folders. The dashboard therefore shows all object keys with the same prefix up to a
 * `/` as one folder.
 */

export interface Folder {
  name: string;
  /** Prefix of all object keys in this folder, with a `/` at the end. An empty prefix means the whole bucket. */
  prefix: string;
}

/**
 * Returns the folders in the path of an object. The first folder is the bucket. For example, the folders of the path
 * `a/b/` in the bucket `photos` are `photos`, `a` and `b`.
 */
export function foldersTo(bucket: string, prefix: string): Folder[] {
  const parts = prefix.split('/').filter((part) => part !== '');
  const within = parts.map((name, at) => ({ name, prefix: `${parts.slice(0, at + 1).join('/')}/` }));
  return [{ name: bucket, prefix: '' }, ...within];
}

/** Returns the name of an object or subfolder without the prefix of the folder that the page shows. */
export function nameWithin(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** Returns a `curl` command that uploads a file to a presigned URL. Both arguments are quoted for the shell. */
export function uploadCommand(url: string, file: string): string {
  return `curl --fail --upload-file ${shellWord(file)} ${shellWord(url)}`;
}
