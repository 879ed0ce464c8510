import { join } from 'node:path';

/** Returns the path of the file that the indexer writes and the server reads. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'catalog.db');
}
