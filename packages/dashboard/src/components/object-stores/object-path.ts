/** Folder of an S3 bucket. S3 has no folders, so a folder is a common prefix of object keys up to a `/`. */

export interface Folder {
  name: string;
  /** Prefix of object keys with a final `/`. Empty for the bucket itself. */
  prefix: string;
}

/** Returns the path of folders to a prefix of object keys. The first entry is the bucket. */
export function foldersTo(bucket: string, prefix: string): Folder[] {
  const parts = prefix.split('/').filter((part) => part !== '');
  const within = parts.map((name, at) => ({ name, prefix: `${parts.slice(0, at + 1).join('/')}/` }));
  return [{ name: bucket, prefix: '' }, ...within];
}

/** Removes the prefix of the shown folder from an object key or a longer prefix. */
export function nameWithin(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** Returns a `curl` command that uploads a file to a presigned URL. Both arguments are quoted for the shell. */
export function uploadCommand(url: string, file: string): string {
  return `curl --fail --upload-file ${quoted(file)} ${quoted(url)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
