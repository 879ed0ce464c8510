/** Runs of the test runner in a temporary folder, with files that pass, fail, hang and leave processes behind. */

import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { until } from '@davit/testkit/waiting';

const RUNNER = join(import.meta.dirname, '../../scripts/run-tests.ts');
/** Limit in seconds above which {@link MadeRun.runUntilLimit} makes no further attempt. */
const LONGEST_LIMIT_S = 60;
/** Start of every test file in the folder. */
const TEST = "import { test } from 'node:test';\n";

export interface Ended {
  code: number | null;
  lines: string[];
}

export class MadeRun implements AsyncDisposable {
  readonly root: string;

  static async make(): Promise<MadeRun> {
    return new MadeRun(await mkdtemp(join(tmpdir(), 'davit-runner-')));
  }

  private constructor(root: string) {
    this.root = root;
  }

  /** Writes a file whose `test` is that of `node:test`. */
  async file(path: string, body: string): Promise<void> {
    await mkdir(dirname(join(this.root, path)), { recursive: true });
    await writeFile(join(this.root, path), TEST + body);
  }

  /** Waits for a file that a test writes, and returns its content. */
  left(name: string): Promise<string> {
    return until(
      `something has written ${name}`,
      () => readFile(join(this.root, name), 'utf8').catch(() => ''),
      (text) => text !== '',
    );
  }

  run(...args: string[]): Promise<Ended> {
    return this.start(args).ended;
  }

  /**
   * Runs with a time limit for a file that hangs. The limit is doubled until the process of {@link leavesBehind} has
   * started before the limit.
   */
  async runUntilLimit(tier: string): Promise<Ended & { limitS: number }> {
    for (let limitS = 2; ; limitS *= 2) {
      const ended = await this.run(tier, '--limit', String(limitS));
      if (existsSync(join(this.root, 'pid')) || limitS > LONGEST_LIMIT_S) return { ...ended, limitS };
    }
  }

  /** Starts the runner. `node:test` refuses to run inside itself, so its environment variable is removed. */
  start(args: string[], more: NodeJS.ProcessEnv = {}) {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env;
    const child = spawn(process.execPath, [RUNNER, '--root', this.root, ...args], {
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    const ended = new Promise<Ended>((resolve, reject) => {
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, lines: output.trimEnd().split('\n') }));
    });
    return { child, ended };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.root, { recursive: true, force: true });
  }
}

/** Returns a test case that starts a process which outlives the case, and writes its id to the file `pid`. */
export function leavesBehind({ root }: MadeRun, then = ''): string {
  return `import { spawn } from 'node:child_process'; import { renameSync, writeFileSync } from 'node:fs';
    test('leaves one behind', async () => {
      const child = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      child.unref();
      writeFileSync('${root}/pid.new', String(child.pid));
      renameSync('${root}/pid.new', '${root}/pid');
      ${then}
    });`;
}

/** Statement that never ends. */
export const HANGS = 'await new Promise(() => setInterval(() => {}, 1000));';

export async function isAlive(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  return stat !== null && !/\) Z /.test(stat);
}
