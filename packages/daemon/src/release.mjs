/** The first file of the daemon in a release, which contains no sources. */
import { useCompileCache } from '../../service/src/compile-cache.mjs';
import { dataDirOf } from './config/data-dir.mjs';

useCompileCache(dataDirOf(process.argv.slice(2)));
await import('./main.ts');
