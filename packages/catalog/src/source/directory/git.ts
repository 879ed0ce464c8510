import { spawn } from 'node:child_process';
import { Deadline } from '../deadline.ts';
import { SourceUnavailable } from '../source.ts';

/** `PATH` variable of the `git` command. `git` does not inherit the environment of the catalog process. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/**
 * Environment variables that make `git` ignore Git configuration, prompts and network. Otherwise, a malicious
 * repository could configure a command that Git runs.
 */
export const GIT_ENV: Record<string, string> = {
  PATH: SEARCH_PATH,
  LC_ALL: 'C',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_ATTR_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_ALLOW_PROTOCOL: 'none',
};

/** Oldest supported Git version, because `cat-file --batch-command` does not exist in older versions. */
const OLDEST_GIT = { major: 2, minor: 36 };

export function gitArguments(gitDir: string): string[] {
  /*
   * By default, Git refuses to read a repository that belongs to another user. The catalog's operator trusts this
   * folder, so Git may read it.
   */
  return [`--git-dir=${gitDir}`, '-c', 'safe.directory=*', '-c', 'core.hooksPath=/dev/null'];
}

export interface GitOutput {
  stdout: Buffer;
  /** Standard error output of a successful Git command, at most 2 KiB. */
  warnings: string;
}

export interface GitLimits {
  timeoutMs: number;
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Runs the `git` command and waits until it ends.
 * @throws SourceUnavailable if Git fails, exceeds the time limit, or its output is too long
 * @throws the abort reason of the signal
 */
export async function runGit(args: string[], input: string | null, limits: GitLimits): Promise<GitOutput> {
  limits.signal.throwIfAborted();
  using deadline = new Deadline(limits.timeoutMs, limits.signal);
  const child = spawn('git', args, {
    env: GIT_ENV,
    stdio: [input === null ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    signal: deadline.signal,
    killSignal: 'SIGKILL',
  });
  const stdout: Buffer[] = [];
  let [size, warnings] = [0, ''];
  child.stdout?.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.maxBytes) child.kill('SIGKILL');
    else stdout.push(chunk);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    warnings = (warnings + text).slice(0, 2048);
  });
  /*
   * Write errors are ignored. Git may exit before it has read all input. In this case, the exit code shows whether Git
   * failed.
   */
  child.stdin?.on('error', () => undefined).end(input);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.on('error', (error) => resolve(reasonOf(error)));
  child.on('close', (code, signal) =>
    resolve(code === 0 ? null : warnings.trim() || `the process ended with ${signal ?? code}`),
  );
  const failure = await promise;
  limits.signal.throwIfAborted();
  if (size > limits.maxBytes) throw new SourceUnavailable(`The output of git is longer than ${limits.maxBytes} bytes.`);
  if (failure !== null) throw new SourceUnavailable(`Git failed: ${failure}`);
  return { stdout: Buffer.concat(stdout), warnings: warnings.trim() };
}

/**
 * Checks that a supported version of Git is installed.
 * @throws SourceUnavailable if Git is missing or too old. The error message contains the reason
 */
export async function demandGit(signal: AbortSignal): Promise<void> {
  const { stdout } = await runGit(['--version'], null, { timeoutMs: 10_000, maxBytes: 1024, signal });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  const version = Number(major) * 1000 + Number(minor);
  if (version >= OLDEST_GIT.major * 1000 + OLDEST_GIT.minor) return;
  throw new SourceUnavailable(
    `${stdout.toString().trim()} is too old. Install git ${OLDEST_GIT.major}.${OLDEST_GIT.minor} or later.`,
  );
}

function reasonOf(error: Error): string {
  if ('code' in error && error.code === 'ENOENT') return `Git is not installed in ${SEARCH_PATH}`;
  return error.name === 'AbortError' ? 'the process took too long' : error.message;
}
