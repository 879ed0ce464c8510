// The import uses a relative path, because this file runs before npm packages are installed.
import { dataDirFor } from '../../../service/src/data-dir.mjs';

/**
 * Returns the data directory of the template catalog. This file is plain JavaScript, because it runs before TypeScript
 * can be loaded.
 * @param {string[]} flags command-line flags
 * @param {Record<string, string | undefined>} env environment variables
 * @param {boolean} isRoot whether the process runs as root
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return dataDirFor({ variable: 'DAVIT_CATALOG_DATA_DIR', folder: 'davit-catalog' }, flags, env, isRoot);
}
