// By its path: this is read before packages are installed.
import { dataDirFor } from '../../../service/src/data-dir.mjs';

/**
 * The data directory of a catalog, for what runs before types are stripped.
 * @param {string[]} flags of the command line
 * @param {Record<string, string | undefined>} env
 * @param {boolean} isRoot
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return dataDirFor({ variable: 'DAVIT_CATALOG_DATA_DIR', folder: 'davit-catalog' }, flags, env, isRoot);
}
