/** Keys of objects as folders: nothing but what stands between their «/». */

export interface Folder {
  name: string;
  /** With its final «/»; empty: the bucket itself. */
  prefix: string;
}

/** The folders that lead to one, the bucket first. */
export function foldersTo(bucket: string, prefix: string): Folder[] {
  const parts = prefix.split('/').filter((part) => part !== '');
  const within = parts.map((name, at) => ({ name, prefix: `${parts.slice(0, at + 1).join('/')}/` }));
  return [{ name: bucket, prefix: '' }, ...within];
}

/** What a key or a folder is called in the folder that is shown. */
export function nameWithin(key: string, prefix: string): string {
  return key.startsWith(prefix) ? key.slice(prefix.length) : key;
}

/** A command that uploads a file to a presigned address: in quotes of the shell, which addresses have none of. */
export function uploadCommand(url: string, file: string): string {
  return `curl --fail --upload-file ${quoted(file)} ${quoted(url)}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
