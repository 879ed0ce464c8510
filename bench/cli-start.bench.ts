/**
 * Measures the run time of `davit --version`. The CLI is installed from its package and uses the Node of the machine,
 * as most users do. An empty script on the same Node runs in turn with it, because most of the time is the start of
 * Node itself.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installPacked, oldestNode } from '../scripts/testing/packed.ts';
import { conclude, formOf, median, quantile, rounded } from './support/result.ts';

const RUNS = { short: 10, usual: 40, long: 100 };
const LIMIT_MS = 150;
const run = promisify(execFile);

const form = formOf();
const node = await oldestNode();
const folder = await mkdtemp(join(tmpdir(), 'davit-cli-start-'));
try {
  await using installed = await installPacked('cli', 'davit');
  const empty = join(folder, 'empty.mjs');
  await writeFile(empty, '');
  const measured = { empty: [] as number[], version: [] as number[], help: [] as number[] };
  for (let n = 0; n < RUNS[form]; n++) {
    measured.empty.push(await timeOf([empty]));
    measured.version.push(await timeOf([installed.command, '--version']));
    measured.help.push(await timeOf([installed.command, 'app', 'deploy', '--help']));
  }
  const value = rounded(median(measured.version));
  await conclude(
    {
      name: 'cli-start',
      promise: 'Run time of the `davit --version` command',
      limit: `≤ ${LIMIT_MS} ms`,
      value,
      unit: 'ms',
      ok: value <= LIMIT_MS,
      details: {
        p95: `${rounded(quantile(measured.version, 0.95))} ms`,
        an_empty_script: `${rounded(median(measured.empty))} ms`,
        help_of_a_command: `${rounded(median(measured.help))} ms`,
        runs: RUNS[form],
        node: (await run(node, ['--version'])).stdout.trim(),
      },
    },
    form,
  );
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function timeOf(args: string[]): Promise<number> {
  const from = performance.now();
  await run(node, args);
  return performance.now() - from;
}
