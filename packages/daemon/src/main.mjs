/**
 * The first file of the daemon in the repository. It loads the bundle, or the sources if they changed after the build.
 * The file is JavaScript, because Node loads WebAssembly to strip types, which costs each start 15 MiB and a fifth of
 * its time.
 */
import { useCompileCache } from '../../service/src/compile-cache.mjs';
import { BUNDLE, isBundleCurrent } from './bundle.mjs';
import { dataDirOf } from './config/data-dir.mjs';

const [first = '-'] = process.argv.slice(2);
// Only the start creates the data directory. An action such as `uninstall` needs an existing one.
if (first.startsWith('-')) useCompileCache(dataDirOf(process.argv.slice(2)));
if (isBundleCurrent()) {
  await import(BUNDLE.href);
} else {
  console.error('The daemon starts from its sources, because its bundle is missing or outdated. This takes longer.');
  await import('./main.ts');
}
