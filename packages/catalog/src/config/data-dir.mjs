// The import uses a relative path, because this file runs before packages are installed.
import { dataDirFor } from '../../../service/src/data-dir.mjs';

/**
 * Returns the data directory of a catalog, for code that runs before types are stripped.
 * @param {string[]} flags command-line flags
 * @param {Record<string, string | undefined>} env environment variables
 * @param {boolean} isRoot whether the process runs as root
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return dataDirFor({ variable: 'DAVIT_CATALOG_DATA_DIR', folder: 'davit-catalog' }, flags, env, isRoot);
}
