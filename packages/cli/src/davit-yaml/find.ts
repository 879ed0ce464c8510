import { access } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export const FILE_NAME = 'davit.yaml';

/** The `davit.yaml` of a folder, or of the nearest one above; null: there is none. */
export async function nearestFile(folder: string): Promise<string | null> {
  const path = join(folder, FILE_NAME);
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) return path;
  return dirname(folder) === folder ? null : nearestFile(dirname(folder));
}
