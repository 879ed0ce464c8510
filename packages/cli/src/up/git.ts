/**
 * Runs git in untrusted repositories. Git must not run commands from the configuration of such a repository, such as
 * hooks and filters.
 */
import { join } from 'node:path';
import type { Environment } from '../process/env.ts';
import { type Ended, runByLines } from './program.ts';

export interface GitOptions {
  env: Pick<Environment, 'variable'>;
  signal: AbortSignal;
}

export type Git = (args: readonly string[], onLine?: (line: string) => void) => Promise<Ended>;

/**
 * Environment variables that the CLI passes to git. Other environment variables could select another repository or
 * contain secrets.
 */
const FROM_USER = ['PATH', 'HOME', 'XDG_CONFIG_HOME', 'SUDO_UID'];

const ISOLATION: Record<string, string> = {
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
};

/**
 * Environment variables that make git ignore the configuration of the user and the system. Git still uses the
 * configuration of the repository.
 */
const NO_USER_CONFIG: Record<string, string> = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
};

/**
 * Git settings that stop git from running other commands. `core.fsmonitor` is empty, because older git versions would
 * run the value `false` as a command.
 */
const NO_PROGRAMS = ['core.fsmonitor=', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'];

/**
 * Runs git with the user's configuration. Use this function only for git commands that do not read the working tree.
 * While reading the working tree, git could run filters.
 */
export function gitIn(folder: string, options: GitOptions): Git {
  return runner(folder, options, { variables: {}, settings: NO_PROGRAMS });
}

/**
 * Runs git without the user's configuration. Filters in this configuration, such as Git LFS, could run commands from
 * the repository.
 */
async function isolatedGit(folder: string, options: GitOptions): Promise<Git> {
  const ignored = `core.excludesFile=${await excludesFile(folder, options)}`;
  return runner(folder, options, {
    variables: NO_USER_CONFIG,
    // An earlier git command has already checked the owner of the folder. `safe.directory=*` turns off a second check.
    settings: [...NO_PROGRAMS, 'safe.directory=*', ignored],
  });
}

/** Returns the path of the file with the user's global ignore patterns for git. The file may not exist. */
async function excludesFile(folder: string, options: GitOptions): Promise<string> {
  const args = ['config', '--global', '--includes', '--type=path', '--get', 'core.excludesFile'];
  const { code, tail } = await gitIn(folder, options)(args);
  const [chosen] = code === 0 ? tail.slice(-1) : [];
  if (chosen !== undefined) return chosen;
  const { variable } = options.env;
  return join(variable('XDG_CONFIG_HOME') ?? join(variable('HOME') ?? '/nonexistent', '.config'), 'git', 'ignore');
}

/**
 * Returns whether a folder has no changes since the last commit. Returns `false` if this check could run commands from
 * the repository.
 */
export async function isAsCommitted(folder: string, options: GitOptions): Promise<boolean> {
  const git = await isolatedGit(folder, options);
  if ((await mayHaveFilters(git)) || (await mayHaveSubmodules(git))) return false;
  const { code, output } = await git([
    ...['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=all', '--', '.'],
  ]);
  return code === 0 && output.trim() === '';
}

/** Returns whether the Git repository configures filters. Git runs filters as commands when it compares files. */
async function mayHaveFilters(git: Git): Promise<boolean> {
  const { code } = await git(['config', '--name-only', '--get-regexp', '^filter\\.']);
  // If `git config` finds no filters, it exits with code 1.
  return code !== 1;
}

const SUBMODULE = /^160000 /;

/**
 * Returns whether the folder may contain Git submodules. Comparing files would use the untrusted configuration of the
 * submodules.
 */
async function mayHaveSubmodules(git: Git): Promise<boolean> {
  let isFound = false;
  const { code } = await git(['ls-files', '--stage', '--', '.'], (line) => {
    isFound ||= SUBMODULE.test(line);
  });
  return isFound || code !== 0;
}

function runner(
  folder: string,
  { env, signal }: GitOptions,
  { variables, settings }: { variables: Record<string, string>; settings: readonly string[] },
): Git {
  const given = FROM_USER.flatMap((name) => {
    const value = env.variable(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  const all = { ...Object.fromEntries(given), ...ISOLATION, ...variables };
  const before = ['--no-pager', '-C', folder, ...settings.flatMap((setting) => ['-c', setting])];
  return (args, onLine) => runByLines('git', [...before, ...args], { signal, env: all, ...(onLine && { onLine }) });
}
