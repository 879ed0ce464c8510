/**
 * The test runner, started by `scripts/test.mjs` under the pinned runtime:
 * `run-tests.ts check|test|long [--live] [--only <part of a path>] [--limit <seconds a file may take>]`.
 *
 * `--live` says that the suites on a real engine can run here, so that one which silently runs nothing is a failure.
 * With `--only` the repository's checks (types, lint, generated files) are left out. `--root` names another folder than
 * this repository: the runner's own tests run it on files made for them.
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
/** Ends a file that hangs. The longest need four minutes on a quiet machine, and three times as much on a slow one. */
const FILE_LIMIT_MS = 20 * 60_000;
const LONG_FILE_LIMIT_MS = 60 * 60_000;

/** Marks of the files at work, so that an interrupt can end what they started. */
const marks = new Set<string>();

/** Takes from the queue, which others may be taking from too, until it is empty. */
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
 * Three processes at a time with those that keep to themselves, many files to a process, and with those in a browser; beside
 * them two with one on the engine, which help the others when that is done; the longest first. All of them wait now and then:
 * with fewer, two processors had nothing to do for half of the time. Those in a browser come after all others where they
 * cannot have a network of their own.
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
  const each = (files: string[]) => files.map((file) => [file]);
  const queueOf = (groups: string[][]) => durations.longestFirstOf(groups);
  const beside = queueOf([...together(free, root, durations), ...each(ownNetworks ? browser : [])]);
  await Promise.all([...lanes(ENGINE_FILES_AT_ONCE, queueOf(each(engine)), beside), ...lanes(FILES_AT_ONCE, beside)]);
  if (!ownNetworks && browser.length > 0) {
    printRemark('Networks cannot be made here: the files in a browser come after all others.');
    await Promise.all(lanes(2, queueOf(each(browser))));
  }
  durations.keep(results);
  return results;
}

/** `test/live`: a folder of one noun in it may have no case that this machine can run. */
function suiteOf({ file }: FileResult): string {
  return file.split('/').slice(0, 2).join('/');
}

/** A suite that could have run and ran nothing has proved nothing. */
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
  // Hundreds of processes load the same modules: each is read and compiled by the first of them.
  process.env.NODE_COMPILE_CACHE ??= join(REPOSITORY, CACHE, 'compiled');
  const options = readOptions();
  const checks = options.only === null ? await runChecks(options.root) : [];
  const results = await runTests(options);
  // A narrowed run leaves suites out on purpose.
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
