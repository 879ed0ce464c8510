import { spawn } from 'node:child_process';
import { Deadline } from '../deadline.ts';
import { SourceUnavailable } from '../source.ts';

/** Where programs are looked for: the environment of this process is not handed on. */
const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin:/opt/homebrew/bin';

/**
 * Nothing of the machine, of a user or of a repository's own settings may change what is read, ask somebody, or reach the
 * network: a repository may say that objects are to be fetched, and by which command.
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

/** The first with `cat-file --batch-command`. */
const OLDEST_GIT = { major: 2, minor: 36 };

/** What git is started with for a repository, before the command's own arguments. */
export function gitArguments(gitDir: string): string[] {
  // Whoever runs the catalog chose the folder: that others own what is in it is meant.
  return [`--git-dir=${gitDir}`, '-c', 'safe.directory=*', '-c', 'core.hooksPath=/dev/null'];
}

export interface GitOutput {
  stdout: Buffer;
  /** What it had to say while it succeeded, at most 2 KiB of it. */
  warnings: string;
}

export interface GitLimits {
  /** Milliseconds. */
  timeoutMs: number;
  /** Of its output. */
  maxBytes: number;
  signal: AbortSignal;
}

/**
 * Runs git to its end.
 * @param input for its standard input; null: it reads none
 * @throws SourceUnavailable when it fails, takes too long or says too much; the signal's reason when that is aborted
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
  // It may end without having read what it was told; how it ended is looked at below.
  child.stdin?.on('error', () => undefined).end(input);
  const { promise, resolve } = Promise.withResolvers<string | null>();
  child.on('error', (error) => resolve(reasonOf(error)));
  child.on('close', (code, signal) => resolve(code === 0 ? null : warnings.trim() || `it ended by ${signal ?? code}`));
  const failure = await promise;
  limits.signal.throwIfAborted();
  if (size > limits.maxBytes) throw new SourceUnavailable(`git says more than ${limits.maxBytes} bytes.`);
  if (failure !== null) throw new SourceUnavailable(`git: ${failure}`);
  return { stdout: Buffer.concat(stdout), warnings: warnings.trim() };
}

/** @throws SourceUnavailable when there is no git here that can be used, and says so */
export async function demandGit(signal: AbortSignal): Promise<void> {
  const { stdout } = await runGit(['--version'], null, { timeoutMs: 10_000, maxBytes: 1024, signal });
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout.toString()) ?? [];
  const version = Number(major) * 1000 + Number(minor);
  if (version >= OLDEST_GIT.major * 1000 + OLDEST_GIT.minor) return;
  throw new SourceUnavailable(
    `${stdout.toString().trim()} is too old: install git ${OLDEST_GIT.major}.${OLDEST_GIT.minor} or newer.`,
  );
}

function reasonOf(error: Error): string {
  if ('code' in error && error.code === 'ENOENT') return `it is not installed in ${SEARCH_PATH}`;
  return error.name === 'AbortError' ? 'it took too long' : error.message;
}
