/** The command line as people start it: a process of its own, in a folder of its own, with a terminal where it needs one. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BIN = join(import.meta.dirname, '../../packages/cli/bin/davit.mjs');

export interface Ended {
  /** Null: it was ended by a signal. */
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A folder to run commands in, signed in to an instance by variables. */
export class DavitFolder implements AsyncDisposable {
  readonly path: string;
  /** Where its commands put what they need for a moment. */
  readonly temporary: string;
  readonly #env: NodeJS.ProcessEnv;

  private constructor(path: string, temporary: string, to: { url: string; key: string }) {
    this.path = path;
    this.temporary = temporary;
    const home = { HOME: path, XDG_CONFIG_HOME: join(path, '.config'), TMPDIR: temporary };
    this.#env = { PATH: process.env.PATH, ...home, DAVIT_URL: to.url, DAVIT_API_KEY: to.key };
  }

  /** @param from a folder whose files are copied */
  static async make(to: { url: string; key: string }, from?: string): Promise<DavitFolder> {
    const path = await mkdtemp(join(tmpdir(), 'davit-folder-'));
    if (from !== undefined) await cp(from, path, { recursive: true });
    return new DavitFolder(path, await mkdtemp(join(tmpdir(), 'davit-temporary-')), to);
  }

  write(name: string, text: string): Promise<void> {
    return writeFile(join(this.path, name), text);
  }

  start(args: readonly string[], env: NodeJS.ProcessEnv = {}): Running {
    // A group of its own: a terminal's Ctrl-C goes to every process of it.
    return new Running(spawn(BIN, args, { cwd: this.path, env: { ...this.#env, ...env }, detached: true }));
  }

  run(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
    return this.start(args, env).ended;
  }

  /** At a terminal of 80 columns and 24 rows; what is typed goes to its stdin. */
  atTerminal(args: readonly string[]): Running {
    return this.atShell(`exec ${DavitFolder.line(args)}`);
  }

  /** A line of a shell at such a terminal, which `script` of util-linux gives it. */
  atShell(line: string): Running {
    const child = spawn('script', ['-qefc', `stty rows 24 columns 80; ${line}`, '/dev/null'], {
      cwd: this.path,
      env: { ...this.#env, TERM: 'xterm', SHELL: '/bin/sh' },
    });
    return new Running(child);
  }

  /** The command as a shell reads it. */
  static line(args: readonly string[]): string {
    return [BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const path of [this.path, this.temporary]) await rm(path, { recursive: true, force: true });
  }
}

/** A command that runs. */
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
    // What it does not read any more is told by its end.
    child.stdin.on('error', () => undefined);
    this.ended = once(child, 'close').then(([code]) => {
      this.#wake();
      return { code: code as number | null, stdout: this.stdout, stderr: this.stderr };
    });
  }

  type(text: string): void {
    this.child.stdin.write(text);
  }

  /** Ctrl-C, as a terminal sends it: to every process of the group. */
  interrupt(): void {
    process.kill(-(this.child.pid ?? Number.NaN), 'SIGINT');
  }

  /** Resolves when either output has this. @throws Error with what it has, when it ends or hangs without it */
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
