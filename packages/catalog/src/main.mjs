/**
 * The first file of the catalog: without types, so that what strips them is loaded by the first start alone. With the
 * cache open, later ones take the compiled sources.
 */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { dataDirOf } from './config/data-dir.mjs';

const dataDir = dataDirOf(process.argv.slice(2));
try {
  // The cache would make the folder too, but for everybody to look into.
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  enableCompileCache(join(dataDir, 'cache'));
} catch {
  // What is wrong with the folder is told by the start itself, which needs it.
}
await import('./main.ts');
