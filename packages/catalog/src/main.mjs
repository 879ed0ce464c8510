/**
 * Entry of the catalog. The file is plain JavaScript, so that only the first start loads the type stripper. Later
 * starts use the compiled sources in the cache.
 */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './config/data-dir.mjs';

const dataDir = dataDirOf(process.argv.slice(2));
try {
  // The cache would also create the folder, but with read permissions for all users.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  enableCompileCache(join(dataDir, 'cache'));
} catch {
  // The start needs the folder too, and reports what is wrong with it.
}
await import('./main.ts');
