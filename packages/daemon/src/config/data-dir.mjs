import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * The data directory of an instance, for what runs before types are stripped. The rule is that of `config.ts`: change both.
 * @param {string[]} flags of the command line
 * @param {Record<string, string | undefined>} env
 * @param {boolean} isRoot
 */
export function dataDirOf(flags, env = process.env, isRoot = process.getuid?.() === 0) {
  return resolve(settingOf(flags, '--data-dir') ?? (env.DAVIT_DATA_DIR || defaultDataDir(env, isRoot)));
}

function defaultDataDir(env, isRoot) {
  return isRoot ? '/var/lib/davit' : join(env.XDG_DATA_HOME ?? join(homedir(), '.local', 'share'), 'davit');
}

/** The value of a flag given as `--name value` or `--name=value`; null when it is not given. */
export function settingOf(flags, name) {
  for (const [index, flag] of flags.entries()) {
    if (flag === name) return flags[index + 1] ?? null;
    if (flag.startsWith(`${name}=`)) return flag.slice(name.length + 1);
  }
  return null;
}
