/** Runs the command-line program like a user: in a separate process and folder, and in a terminal if needed. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Path of the command in the repository. */
export const DAVIT_BIN = join(import.meta.dirname, '../../packages/cli/bin/davit.mjs');

export interface Ended {
  /** Exit code, or null if a signal ended the process. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder in which commands run. Environment variables contain the login for an instance. */
export class DavitFolder implements AsyncDisposable {
  readonly path: string;
  /** Folder for temporary files of the commands. */
  readonly temporary: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(path: string, temporary: string, to: { url: string; key: string }) {
    this.path = path;
    this.temporary = temporary;
    const home = { HOME: path, XDG_CONFIG_HOME: join(path, '.config'), TMPDIR: temporary };
    this.#env = { PATH: process.env.PATH, ...home, DAVIT_URL: to.url, DAVIT_API_KEY: to.key };
  }

  /**
   * Creates a folder.
   * @param from folder whose files are copied
   */
  static async make(to: { url: string; key: string }, from?: string): Promise<DavitFolder> {
    const path = await mkdtemp(join(tmpdir(), 'davit-folder-'));
    if (from !== undefined) await cp(from, path, { recursive: true });
    return new DavitFolder(path, await mkdtemp(join(tmpdir(), 'davit-temporary-')), to);
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text);
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    // The command gets its own process group, because Ctrl-C of a terminal goes to every process of the group.
    return new Running(spawn(DAVIT_BIN, args, { cwd: this.path, env: { ...this.#env, ...env }, detached: true }));
  }

  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** Starts the command in a terminal with 80 columns and 24 rows. Typed text goes to its stdin. */
  atTerminal(args: readonly string[]): Running {
    return this.atShell(`exec ${DavitFolder.line(args)}`);
  }

  /** Starts a shell command line in such a terminal, which `script` of util-linux provides. */
  atShell(line: string): Running {
    const child = spawn('script', ['-qefc', `stty rows 24 columns 80; ${line}`, '/dev/null'], {
      cwd: this.path,
      env: { ...this.#env, TERM: 'xterm', SHELL: '/bin/sh' },
    });
    return new Running(child);
  }

  /** Returns the command as text for a shell. */
  static line(args: readonly string[]): string {
    return [DAVIT_BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of [this.path, this.temporary]) await rm(path, { recursive: true, force: true });
  }
}

/** A running command. */
export class Running {
  stdout = '';
  stderr = '';
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
  #wake: () => void = () => undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.child = child;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      this.stdout += text;
      this.#wake();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.stderr += text;
      this.#wake();
    });
    // If the command no longer reads its input, its exit shows the reason.
    child.stdin.on('error', () => undefined);
    this.ended = once(child, 'close').then(([code]) => {
      this.#wake();
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  /** Sends SIGINT to every process of the group, as a terminal does for Ctrl-C. */
  interrupt(): void {
    process.kill(-(this.child.pid ?? Number.NaN), 'SIGINT');
  }

  /**
   * Resolves when stdout or stderr matches.
   * @throws Error with the output, if the command ends or hangs without a match
   */
  async shows(what: RegExp, timeoutMs = 20_000): Promise<void> {
    const until = performance.now() + timeoutMs;
    while (!what.test(this.stdout) && !what.test(this.stderr)) {
      const isOver = this.child.exitCode !== null || this.child.signalCode !== null;
      if (isOver || performance.now() > until) throw new Error(`no ${what} in:\n${this.stdout}\n${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        setTimeout(resolve, 200);
      });
    }
  }
}
