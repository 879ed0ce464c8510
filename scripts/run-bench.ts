/**
 * Runs the benchmarks one after another, started by `scripts/bench.mjs` with the pinned runtime: `run-bench.ts [--long
 * | --short] [part of a name …]`. A benchmark is a file `bench/<promise>.bench.ts` that measures, calls `writeResult`
 * for each guarantee and exits with 0. `--short` is for trying out benchmarks: no result is stored.
 */
import { spawn } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { benchmarksPage } from './bench/page.ts';
import { readResults } from './bench/result.ts';

const ROOT = dirname(import.meta.dirname);
const PAGE = 'docs/benchmarks.md';

type Form = 'short' | 'usual' | 'long';

function runScript(file: string, args: string[]): Promise<number> {
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

/**
 * Runs a benchmark.
 * @returns why its result is not reliable, or null
 */
async function measure(file: string, form: Form): Promise<string | null> {
  console.log(`\n${file}`);
  const began = new Date().toISOString();
  const code = await runScript(file, form === 'usual' ? [] : [`--${form}`]);
  if (code !== 0) return `${file} ended with exit code ${code}.`;
  if (form === 'short') return null;
  if (!readResults().some((result) => result.at >= began)) return `${file} wrote no result.`;
  return null;
}

/** Creates the page from all stored results, formatted by the formatter of the repository. */
async function writePage(): Promise<void> {
  writeFileSync(join(ROOT, PAGE), benchmarksPage(readResults()));
  const code = await runScript('node_modules/@biomejs/biome/bin/biome', [
    'format',
    '--write',
    '--log-level=warn',
    PAGE,
  ]);
  if (code !== 0) throw new Error(`format ${PAGE}: the formatter ended with exit code ${code}`);
}

function readOptions(): { form: Form; parts: string[] } {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { long: { type: 'boolean' }, short: { type: 'boolean' } },
  });
  return { form: values.long ? 'long' : values.short ? 'short' : 'usual', parts: positionals };
}

async function main(): Promise<boolean> {
  const { form, parts } = readOptions();
  const files = globSync('bench/*.bench.ts', { cwd: ROOT })
    .sort()
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)));
  const began = new Date().toISOString();
  const problems: string[] = files.length === 0 ? ['There is no benchmark of that name.'] : [];
  for (const file of files) {
    const problem = await measure(file, form);
    if (problem !== null) problems.push(problem);
  }

  const now = readResults().filter((result) => result.at >= began);
  if (now.length > 0) await writePage();
  const missed = now.filter((result) => !result.ok);
  for (const { promise, limit } of missed) problems.push(`Missed: ${promise}, ${limit}.`);
  console.log(['', ...problems, `${now.length - missed.length} promises kept, ${missed.length} missed`].join('\n'));
  return problems.length === 0;
}

process.exitCode = (await main()) ? 0 : 1;
