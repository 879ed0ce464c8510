/**
 * The test runner, started by `scripts/test.mjs` with the pinned runtime: `run-tests.ts check|test|long [--live]
 * [--only <part of a path>] [--limit <seconds a file may take>]`.
 *
 * `--live` means that tests with a real engine can run here, so a suite of them that runs no test is a failure. With
 * `--only`, the checks of the repository (types, lint, generated files) are skipped. `--root` sets another folder than
 * this repository: the tests of the runner use it.
 */
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { canBeApart } from './testing/apart.ts';
import { CACHE, type Check, type CheckResult, listChecks, runCheck } from './testing/checks.ts';
import type { FileResult } from './testing/collect-files.ts';
import { Durations } from './testing/durations.ts';
import { inBrowser, needsMachine, selectFiles, type Tier } from './testing/files.ts';
import { endCarriers } from './testing/orphans.ts';
import { FolderRows, printCheck, printEnd, printRemark } from './testing/report.ts';
import { runFiles } from './testing/run-files.ts';
import { together } from './testing/together.ts';

const REPOSITORY = dirname(import.meta.dirname);
const CHECKS_AT_ONCE = 2;
const FILES_AT_ONCE = 3;
const ENGINE_FILES_AT_ONCE = 2;
/**
 * Time limit in milliseconds for a test file that hangs. The longest files need four minutes on an idle machine, and
 * three times as much on a slow one.
 */
const FILE_LIMIT_MS = 20 * 60_000;
const LONG_FILE_LIMIT_MS = 60 * 60_000;

/** Marks of the running test files, so that an interrupt can end the processes that they started. */
const marks = new Set<string>();

/** Takes items from a queue until it is empty. Several callers can share the queue. */
async function drain<T>(queue: T[], work: (item: T) => Promise<void>): Promise<void> {
  for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item);
}

interface Options {
  root: string;
  tier: Tier;
  only: string | null;
  limitMs: number;
  live: boolean;
}

async function runChecks(root: string): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  const one = async (check: Check) => {
    const result = await runCheck(check, root);
    results.push(result);
    printCheck(result);
  };
  const queue = listChecks(root);
  await Promise.all(Array.from({ length: CHECKS_AT_ONCE }, () => drain(queue, one)));
  return results;
}

/**
 * Runs the test files, longest first. Three processes at a time run files without special needs, with many files in
 * each process, and files in a browser. Two more processes run files with the engine, and afterwards help the others.
 * All of them wait at times: with fewer processes, two processors were idle for half of the time. If browser files
 * cannot have a separate network, they run after all others.
 */
async function runTests({ root, tier, only, limitMs }: Options): Promise<FileResult[]> {
  const durations = new Durations(root, tier);
  const { free, engine, browser } = selectFiles(tier, root, only);
  const rows = new FolderRows([...free, ...engine, ...browser]);
  const results: FileResult[] = [];
  const env = { DAVIT_TEST_LONG: tier === 'long' ? '1' : '' };
  const ownNetworks = browser.length > 0 && (await canBeApart());
  const one = async (files: string[]) => {
    const apart = ownNetworks && files.every(inBrowser);
    for (const result of await runFiles(files, { root, limitMs, env, marks, apart })) {
      results.push(result);
      rows.add(result);
    }
  };
  const lane = async (queues: string[][][]) => {
    for (const queue of queues) await drain(queue, one);
  };
  const lanes = (count: number, ...queues: string[][][]) => Array.from({ length: count }, () => lane(queues));
  const queueOf = (groups: string[][]) => durations.longestFirstOf(groups);
  const inGroups = (files: string[]) => together(files, root, durations);
  const parallel = queueOf([...inGroups(free), ...(ownNetworks ? inGroups(browser) : [])]);
  const alone = queueOf(engine.map((file) => [file]));
  await Promise.all([...lanes(ENGINE_FILES_AT_ONCE, alone, parallel), ...lanes(FILES_AT_ONCE, parallel)]);
  if (!ownNetworks && browser.length > 0) {
    printRemark('Networks cannot be made here: the files in a browser come after all others.');
    await Promise.all(lanes(2, queueOf(inGroups(browser))));
  }
  durations.keep(results);
  return results;
}

/** Returns the suite of a file, such as `test/live`. A subfolder of it may have no test that this machine can run. */
function suiteOf({ file }: FileResult): string {
  return file.split('/').slice(0, 2).join('/');
}

/** Returns the suites that could have run but ran no test, because they proved nothing. */
function silentSuites(results: FileResult[]): string[] {
  const suites = new Set(results.filter((one) => needsMachine(one.file)).map(suiteOf));
  return [...suites]
    .filter((suite) => {
      const inside = results.filter((one) => suiteOf(one) === suite);
      return inside.every((one) => one.passed + one.failed === 0);
    })
    .map((suite) => `${suite} ran no case although this machine has what it needs.`);
}

function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      live: { type: 'boolean', default: false },
      only: { type: 'string' },
      limit: { type: 'string' },
      root: { type: 'string', default: REPOSITORY },
    },
  });
  const tier = (positionals[0] ?? 'check') as Tier;
  const limitMs = tier === 'long' ? LONG_FILE_LIMIT_MS : FILE_LIMIT_MS;
  return {
    root: values.root,
    tier,
    only: values.only ?? null,
    limitMs: values.limit === undefined ? limitMs : Number(values.limit) * 1000,
    live: values.live,
  };
}

async function main(): Promise<boolean> {
  // Hundreds of processes load the same modules. With this cache, only the first process compiles each module.
  process.env.NODE_COMPILE_CACHE ??= join(REPOSITORY, CACHE, 'compiled');
  const options = readOptions();
  const checks = options.only === null ? await runChecks(options.root) : [];
  const results = await runTests(options);
  // A run with `--only` omits suites on purpose.
  const problems = options.live && options.only === null ? silentSuites(results) : [];
  if (options.only !== null && results.length === 0) problems.push(`No test file has "${options.only}" in its path.`);
  return printEnd(checks, results, problems);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    void Promise.all([...marks].map(endCarriers)).finally(() => process.exit(130));
  });
}

process.exitCode = (await main()) ? 0 : 1;
