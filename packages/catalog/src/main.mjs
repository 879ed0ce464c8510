/**
 * Entry point of the template catalog. This file is plain JavaScript, so only the first start must remove the
 * TypeScript types. Later starts use the compiled files in the cache.
 */
import { useCompileCache } from '../../service/src/compile-cache.mjs';
import { dataDirOf } from './config/data-dir.mjs';

useCompileCache(dataDirOf(process.argv.slice(2)));
await import('./main.ts');
