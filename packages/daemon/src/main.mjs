/**
 * The first file of the daemon: without types, because to strip them Node loads WebAssembly that costs each start 15 MiB and
 * a fifth of its time. With the cache open, that and compiling are for the first start alone.
 */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './config/data-dir.mjs';
import { findModulesQuickly } from './find-modules.mjs';

const dataDir = dataDirOf(process.argv.slice(2));
try {
  // The cache would make the folder too, but for everybody to look into.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  enableCompileCache(join(dataDir, 'cache'));
} catch {
  // What is wrong with the folder is told by the start itself, which needs it.
}
findModulesQuickly();
await import('./main.ts');
