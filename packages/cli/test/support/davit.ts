/** The command line in this process, with a world of its own: its outputs are kept, its folder is thrown away. */
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
  /** Both outputs are terminals. */
  isTTY?: boolean;
  /** Of that terminal; absent: 80. */
  columns?: number;
  /** What comes on stdin; absent: nothing does. */
  input?: string;
  /** Stands in for the network. */
  fetch?: typeof globalThis.fetch;
  /** Variables of the environment, beside where the instance is. */
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Below the folder. */
  cwd?: string;
  /** Hears both outputs as they are written. */
  onOutput?: (text: string) => void;
}

/** A folder to run commands in, as the person whose key it is. */
export class Davit implements AsyncDisposable {
  readonly folder: string;
  readonly #to: { url: string; key: string };

  private constructor(folder: string, to: { url: string; key: string }) {
    this.folder = folder;
    this.#to = to;
  }

  static async at(to: { url: string; key: string }): Promise<Davit> {
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
    const variables = { DAVIT_URL: this.#to.url, DAVIT_API_KEY: this.#to.key, HOME: this.folder, ...env };
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

/** A daemon of the suite's own, and its admin's folder: both are there while its tests run. */
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

/** What was written, as text. */
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
