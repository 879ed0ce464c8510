import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const FILE_NAME = 'davit.yaml';

/**
 * Returns the path of a file in the given folder or the nearest parent folder. Returns `null` if none of these folders
 * contains the file.
 */
export async function nearestFile(folder: string, name = FILE_NAME): Promise<string | null> {
  const path = join(folder, name);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  return dirname(folder) === folder ? null : nearestFile(dirname(folder), name);
}
