import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Setting with the id of the instance. */
export const ID = 'id';

/**
 * File with the id of the instance. It proves that a database was created. If the file exists and the database is
 * missing, the daemon does not create a new database. Otherwise, it would create an empty instance.
 */
export const MARK = 'instance-id';

/** Returns the id in the file `MARK`, or `null` if the file is missing or empty. */
export function markedId(dataDir: string): string | null {
  const file = join(dataDir, MARK);
  return fileBytes(file) === 0 ? null : readFileSync(file, 'utf8').trim();
}

/** Returns the size of a file in bytes, or 0 if the file does not exist. */
export function fileBytes(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
