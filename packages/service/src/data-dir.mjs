import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data directory of a server, for what runs before types are stripped.
 * @param {{ variable: string, folder: string }} server the environment variable that names it, and its folder's name
 *   where nothing does
 * @param {string[]} flags of the command line
 * @param {Record<string, string | undefined>} env
 * @param {boolean} isRoot
 */
export function dataDirFor({ variable, folder }, flags, env, isRoot) {
  return resolve(settingOf(flags, '--data-dir') || env[variable] || defaultDataDir(folder, env.XDG_DATA_HOME, isRoot));
}

/**
 * @param {string} folder
 * @param {string | undefined} xdgDataHome
 * @param {boolean} isRoot
 */
export function defaultDataDir(folder, xdgDataHome, isRoot) {
  return isRoot ? `/var/lib/${folder}` : join(xdgDataHome ?? join(homedir(), '.local', 'share'), folder);
}

/**
 * The value of a flag given as `--name value` or `--name=value`; null when it is not given.
 * @param {string[]} flags
 * @param {string} name
 */
export function settingOf(flags, name) {
  for (const [index, flag] of flags.entries()) {
    if (flag === name) return flags[index + 1] ?? null;
    if (flag.startsWith(`${name}=`)) return flag.slice(name.length + 1);
  }
  return null;
}
