/**
 * Entry point of the template catalog. This file is plain JavaScript, so only the first start must remove the
 * TypeScript types. Later starts use the compiled files in the cache.
 */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './config/data-dir.mjs';

const dataDir = dataDirOf(process.argv.slice(2));
try {
  // The compile cache would also create the folder, but all users could then read the folder.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  enableCompileCache(join(dataDir, 'cache'));
} catch {
  // The catalog server also needs the folder, and reports errors about the folder when it starts.
}
await import('./main.ts');
