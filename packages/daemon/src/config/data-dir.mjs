// The import uses a relative path, because this module runs before packages are installed.
import { dataDirFor, settingOf } from '../../../service/src/data-dir.mjs';

export { settingOf };

/**
 * Returns the data directory of an instance, for code that runs before types are stripped.
 * @param {string[]} flags of the command line
 * @param {Record<string, string | undefined>} env
 * @param {boolean} isRoot
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return dataDirFor({ variable: 'DAVIT_DATA_DIR', folder: 'davit' }, flags, env, isRoot);
}
