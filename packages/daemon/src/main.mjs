/**
 * The first file of the daemon. It loads the bundle, or the sources if they changed after the build. The file is
 * JavaScript, because Node loads WebAssembly to strip types, which costs each start 15 MiB and a fifth of its time. With
 * the compile cache, only the first start strips types and compiles.
 */
import { mkdirSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { BUNDLE, isBundleCurrent } from './bundle.mjs';
import { dataDirOf } from './config/data-dir.mjs';

const [first = '-'] = process.argv.slice(2);
const dataDir = dataDirOf(process.argv.slice(2));
try {
  // Only the start creates the data directory. An action such as `uninstall` needs an existing one.
  if (first.startsWith('-')) {
    // The compile cache would also create the folder, but readable for all users.
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    enableCompileCache(join(dataDir, 'cache'));
  }
} catch {
  // The start itself reports a problem with the folder, because it needs the folder.
}
if (isBundleCurrent()) {
  await import(BUNDLE.href);
} else {
  console.error('The daemon starts from its sources, because its bundle is missing or outdated. This takes longer.');
  await import('./main.ts');
}
