/** Runs the command line in the test process, with a temporary folder. Collects its output. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { after, before } from 'node:test';
import { bootDaemon, type TestDaemon } from '@davit/testkit';
import { environmentOfProcess } from '../../src/process/env.ts';
import type { Output } from '../../src/process/runtime.ts';
import { runCli } from '../../src/program/run.ts';

export interface Ran {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** Whether stdout and stderr are terminals. */
  isTTY?: boolean;
  /** Width of the terminal in columns. Default: 80. */
  columns?: number;
  /** Input on stdin. Default: no input. */
  input?: string;
  /** Replaces the network. */
  fetch?: typeof globalThis.fetch;
  /** Additional environment variables. The variables with the URL and the key of the instance are always set. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Working directory, relative to the temporary folder. */
  cwd?: string;
  /** Called with each part of stdout and stderr as it is written. */
  onOutput?: (text: string) => void;
}

interface Target {
  url: string;
  key: string;
  /** Data directory of the instance, with its Unix socket. Default: a folder without an instance. */
  dataDir?: string;
}

/** Temporary folder in which a test runs commands with one API key. */
export class Davit implements AsyncDisposable {
  readonly folder: string;
  readonly #to: Target;

  private constructor(folder: string, to: Target) {
    this.folder = folder;
    this.#to = to;
  }

  static async at(to: Target): Promise<Davit> {
    return new Davit(await mkdtemp(join(tmpdir(), 'davit-cli-')), to);
  }

  async write(name: string, text: string): Promise<void> {
    const path = join(this.folder, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  remove(name: string): Promise<void> {
    return rm(join(this.folder, name), { force: true });
  }

  async run(args: readonly string[], options: RunOptions = {}): Promise<Ran> {
    const { isTTY = false, columns = 80, input = '', fetch, env = {}, signal, cwd = '', onOutput } = options;
    const output = () => new KeptOutput({ isTTY, columns }, onOutput);
    const [stdout, stderr] = [output(), output()];
    const { url, key, dataDir = this.folder } = this.#to;
    const variables = { DAVIT_URL: url, DAVIT_API_KEY: key, DAVIT_DATA_DIR: dataDir, HOME: this.folder, ...env };
    const code = await runCli(args, {
      stdin: new PassThrough().end(input),
      ...(fetch && { fetch }),
      stdout,
      stderr,
      env: environmentOfProcess(variables),
      cwd: join(this.folder, cwd),
      signal: signal ?? new AbortController().signal,
    });
    return { code, stdout: stdout.text, stderr: stderr.text };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}

export interface Setup {
  daemon: TestDaemon;
  davit: Davit;
}

/**
 * Starts a daemon for a test suite, and creates a folder for commands of its admin. Both are removed after the suite.
 */
export function withDavit(): Setup {
  const fixture = {} as Setup;
  before(async () => {
    fixture.daemon = await bootDaemon();
    fixture.davit = await Davit.at(fixture.daemon);
  });
  after(async () => {
    await fixture.davit[Symbol.asyncDispose]();
    await fixture.daemon[Symbol.asyncDispose]();
  });
  return fixture;
}

/** Output stream that collects its text. */
class KeptOutput extends PassThrough implements Output {
  readonly isTTY: boolean;
  readonly columns: number;
  readonly rows = 24;
  text = '';

  constructor({ isTTY, columns }: { isTTY: boolean; columns: number }, onOutput: ((text: string) => void) | undefined) {
    super();
    this.isTTY = isTTY;
    this.columns = columns;
    this.setEncoding('utf8').on('data', (piece: string) => {
      this.text += piece;
      onOutput?.(piece);
    });
  }
}
