import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Returns the data directory of a server, for code that runs before types are stripped.
 * @param {{ variable: string, folder: string }} server environment variable of the directory, and the name of the
 * default folder
 * @param {string[]} flags command-line flags
 * @param {Record<string, string | undefined>} env environment variables
 * @param {boolean} isRoot whether the process runs as root
 */
export function dataDirFor({ variable, folder }, flags, env, isRoot) {
  return resolve(settingOf(flags, '--data-dir') || env[variable] || defaultDataDir(folder, env.XDG_DATA_HOME, isRoot));
}

/**
 * Returns the data directory if it is not configured.
 * @param {string} folder name of the folder
 * @param {string | undefined} xdgDataHome value of XDG_DATA_HOME
 * @param {boolean} isRoot whether the process runs as root
 */
export function defaultDataDir(folder, xdgDataHome, isRoot) {
  return isRoot ? `/var/lib/${folder}` : join(xdgDataHome ?? join(homedir(), '.local', 'share'), folder);
}

/**
 * Returns the value of a flag in the form `--name value` or `--name=value`, or `null` if the flag is absent.
 * @param {string[]} flags command-line flags
 * @param {string} name name of the flag with its dashes
 */
export function settingOf(flags, name) {
  for (const [index, flag] of flags.entries()) {
    if (flag === name) return flags[index + 1] ?? null;
    if (flag.startsWith(`${name}=`)) return flag.slice(name.length + 1);
  }
  return null;
}
