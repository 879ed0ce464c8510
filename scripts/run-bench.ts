/**
 * Runs the benchmarks one after another, started by `scripts/bench.mjs` under the pinned runtime:
 * `run-bench.ts [--long] [part of a name …]`. A benchmark is a file `bench/<promise>.bench.ts` that measures, calls
 * `writeResult` for each promise it looked at, and ends with 0.
 */
import { spawn } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarksPage } from './bench/page.ts';
import { readResults } from './bench/result.ts';

const ROOT = dirname(import.meta.dirname);

function runBenchmark(file: string, args: string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [file, ...args], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] });
    const end = () => child.kill('SIGTERM');
    process.once('SIGTERM', end);
    child.on('error', reject);
    child.on('close', (code) => {
      process.off('SIGTERM', end);
      resolve(code ?? 1);
    });
  });
}

/** @returns why the benchmark is not to be believed, or null */
async function measure(file: string, args: string[]): Promise<string | null> {
  console.log(`\n${file}`);
  const began = new Date().toISOString();
  const code = await runBenchmark(file, args);
  if (code !== 0) return `${file} ended with exit code ${code}.`;
  if (!readResults().some((result) => result.at >= began)) return `${file} wrote no result.`;
  return null;
}

async function main(): Promise<boolean> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { long: { type: 'boolean', default: false } },
  });
  const files = globSync('bench/*.bench.ts', { cwd: ROOT })
    .sort()
    .filter((file) => positionals.length === 0 || positionals.some((part) => file.includes(part)));
  const began = new Date().toISOString();
  const problems: string[] = files.length === 0 ? ['There is no benchmark of that name.'] : [];
  for (const file of files) {
    const problem = await measure(file, values.long ? ['--long'] : []);
    if (problem !== null) problems.push(problem);
  }

  const results = readResults();
  writeFileSync(join(ROOT, 'docs/benchmarks.md'), benchmarksPage(results));
  const now = results.filter((result) => result.at >= began);
  const missed = now.filter((result) => !result.ok);
  for (const { promise, limit } of missed) problems.push(`Missed: ${promise}, ${limit}.`);
  console.log(['', ...problems, `${now.length - missed.length} promises kept, ${missed.length} missed`].join('\n'));
  return problems.length === 0;
}

process.exitCode = (await main()) ? 0 : 1;
