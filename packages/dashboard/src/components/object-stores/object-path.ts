/** A folder of a bucket. Folders are only parts of object keys between slashes. */

export interface Folder {
  name: string;
  /** Prefix with a final `/`. Empty for the bucket itself. */
  prefix: string;
}

/** Returns the folders on the path to a prefix, with the bucket first. */
export function foldersTo(bucket: string, prefix: string): Folder[] {
  const parts = prefix.split('/').filter((part) => part !== '');
  const within = parts.map((name, at) => ({ name, prefix: `${parts.slice(0, at + 1).join('/')}/` }));
  return [{ name: bucket, prefix: '' }, ...within];
}

/** Returns the name of a key or a folder relative to the shown folder. */
export function nameWithin(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** Returns a command that uploads a file to a presigned URL. Both arguments are quoted for the shell. */
export function uploadCommand(url: string, file: string): string {
  return `curl --fail --upload-file ${quoted(file)} ${quoted(url)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
