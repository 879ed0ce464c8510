import { join } from 'node:path';

/** Returns the path of the catalog's SQLite file. The indexer writes the file, and the HTTP server reads it. */
export function databaseFile(dataDir: string): string {
  return join(dataDir, 'catalog.db');
}
