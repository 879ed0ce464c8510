import { join } from 'node:path';

/** The file that the indexer writes and the server reads. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'catalog.db');
}
