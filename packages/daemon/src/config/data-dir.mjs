// The import path is relative, because this module runs before npm packages are installed.
import { dataDirFor, settingOf } from '../../../service/src/data-dir.mjs';

export { settingOf };

/**
 * Returns the data directory of an instance. Code that runs without TypeScript also uses this function.
 * @param {string[]} flags command line flags
 * @param {Record<string, string | undefined>} env
 * @param {boolean} isRoot
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return dataDirFor({ variable: 'DAVIT_DATA_DIR', folder: 'davit' }, flags, env, isRoot);
}
