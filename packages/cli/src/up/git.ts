/**
 * Runs git in repositories that are not trusted. The configuration of a Git repository can name commands that git runs,
 * such as hooks and filters. The functions of this file prevent git from running such commands.
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
 * Environment variables that git receives from the CLI. Other environment variables could select another repository or
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
 * Environment variables that make git ignore the Git configuration of the user and of the system. git then uses only
 * the configuration of the repository, which can contain filters (commands that convert files).
 */
const NO_USER_CONFIG: Record<string, string> = {
  HOME: '/nonexistent',
  XDG_CONFIG_HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
};

/**
 * Git settings that prevent git from running other commands. `core.fsmonitor` is empty, because older git versions run
 * the value `false` as a command.
 */
const NO_PROGRAMS = ['core.fsmonitor=', 'core.hooksPath=/dev/null', 'safe.bareRepository=explicit'];

/**
 * Returns a function that runs git with the user's Git configuration. Use it only for git commands that do not read
 * files of the working tree. If git reads such files, it can run filters (commands that convert files).
 */
export function gitIn(folder: string, options: GitOptions): Git {
  return runner(folder, options, { variables: {}, settings: NO_PROGRAMS });
}

/**
 * Returns a function that runs git without the user's Git configuration. Its filters (commands that convert files) must
 * not run, because filters such as Git LFS can run commands from the repository. Turns off the check of the folder
 * owner, because an earlier git command has already made this check.
 */
async function isolatedGit(folder: string, options: GitOptions): Promise<Git> {
  const ignored = `core.excludesFile=${await excludesFile(folder, options)}`;
  return runner(folder, options, {
    variables: NO_USER_CONFIG,
    settings: [...NO_PROGRAMS, 'safe.directory=*', ignored],
  });
}

/** Returns the path of the file with the user's global ignore patterns for git. This file may not exist. */
async function excludesFile(folder: string, options: GitOptions): Promise<string> {
  const args = ['config', '--global', '--includes', '--type=path', '--get', 'core.excludesFile'];
  const { code, tail } = await gitIn(folder, options)(args);
  const [chosen] = code === 0 ? tail.slice(-1) : [];
  if (chosen !== undefined) return chosen;
  const { variable } = options.env;
  return join(variable('XDG_CONFIG_HOME') ?? join(variable('HOME') ?? '/nonexistent', '.config'), 'git', 'ignore');
}

/**
 * Returns whether a folder has no changes since the last commit. Also returns `false` if this check is not safe,
 * because git could run commands from the repository's configuration.
 */
export async function isAsCommitted(folder: string, options: GitOptions): Promise<boolean> {
  const git = await isolatedGit(folder, options);
  if ((await mayHaveFilters(git)) || (await mayHaveSubmodules(git))) return false;
  const { code, output } = await git([
    ...['status', '--porcelain', '--untracked-files=normal', '--ignore-submodules=all', '--', '.'],
  ]);
  return code === 0 && output.trim() === '';
}

/**
 * Returns whether the configuration of the Git repository contains filters. Filters are commands that git runs when it
 * compares files. If `git config` finds no filters, it exits with code 1.
 */
async function mayHaveFilters(git: Git): Promise<boolean> {
  const { code } = await git(['config', '--name-only', '--get-regexp', '^filter\\.']);
  return code !== 1;
}

const SUBMODULE = /^160000 /;

/**
 * Returns whether the folder may contain Git submodules. The CLI must not compare files with git in such a folder. The
 * comparison would use the configuration of each submodule, which is not trusted.
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
