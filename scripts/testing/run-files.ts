import { randomBytes } from 'node:crypto';
import { collectApart } from './apart.ts';
import { addFailure, collectFiles, emptyResult, type FileResult } from './collect-files.ts';
import { endCarriers, MARK } from './orphans.ts';

export interface RunOptions {
  root: string;
  /** Time limit of a process in milliseconds. */
  limitMs: number;
  env: Record<string, string>;
  marks: Set<string>;
  /** Whether the files get a separate network. */
  apart: boolean;
}

/** Result of one process with test files. */
interface Ran {
  results: FileResult[];
  /** How the process ended, if it did not end with its test cases. Such an end must be attributed to one file. */
  end: 'broken' | 'late' | null;
  /** Number of processes that it left behind and that were ended. */
  orphans: number;
}

/**
 * Runs test files in one process, and ends all processes that they left behind. If a problem belongs to no test case,
 * each file runs again in a separate process to find the file that causes it. If the problem occurs only when the files
 * run together, one of them fails.
 */
export async function runFiles(files: string[], options: RunOptions): Promise<FileResult[]> {
  const ran = await runProcess(files, options);
  if (files.length === 1) return ran.results.map((result) => judged(result, ran, options));
  const isAsItShould = ran.end === null && ran.orphans === 0 && ran.results.every((one) => casesOf(one) > 0);
  if (isAsItShould) return ran.results;
  const again: FileResult[] = [];
  for (const file of files) again.push(...(await runFiles([file], options)));
  const [first] = again;
  const isReported = again.some(({ failed, orphans }) => failed + orphans > 0);
  if (first !== undefined && !isReported) reportSharedFailure(first, files, ran);
  return again;
}

/** Runs a process until it ends. After `limitMs`, the process and all processes that it started are ended. */
async function runProcess(files: string[], { root, limitMs, env: more, marks, apart }: RunOptions): Promise<Ran> {
  const mark = randomBytes(8).toString('hex');
  let late = false;
  let collected = { results: files.map(emptyResult), isBroken: true };
  let orphans = 0;
  const limit = setTimeout(() => {
    late = true;
    // The process must be ended from outside, because a file that hangs does not react.
    void endCarriers(mark);
  }, limitMs);
  marks.add(mark);
  try {
    const env = { ...process.env, ...more, [MARK]: mark };
    collected = await (apart ? collectApart : collectFiles)(files, root, env);
  } finally {
    clearTimeout(limit);
    marks.delete(mark);
    orphans = await endCarriers(mark);
  }
  const { results, isBroken } = collected;
  return { results, end: late ? 'late' : isBroken ? 'broken' : null, orphans: late ? 0 : orphans };
}

function casesOf({ passed, failed, skipped }: FileResult): number {
  return passed + failed + skipped;
}

/**
 * Returns the result of a file that ran in a separate process. A timeout is a failure, and a file without a test case
 * is a failure too.
 */
function judged(result: FileResult, { end, orphans }: Ran, { limitMs }: RunOptions): FileResult {
  result.orphans = orphans;
  const unfinished = result.unfinished ?? 'the file itself';
  if (end === 'late') addFailure(result, unfinished, `The file was not over after ${limitMs / 1000} s and was ended.`);
  else if (end === 'broken')
    addFailure(result, 'the file itself', 'It ended before its cases were over; its output is below.');
  else if (casesOf(result) === 0) addFailure(result, 'the file itself', 'It has no case.');
  return result;
}

/** Adds a failure to one of the files for a problem that occurred only in the shared process. */
function reportSharedFailure(result: FileResult, files: string[], { end, orphans, results }: Ran): void {
  const what = end === 'late' ? 'was not over in time' : end === 'broken' ? 'broke off' : `left ${orphans} behind`;
  result.output = results[0]?.output ?? '';
  addFailure(
    result,
    'the file itself',
    `Each of these was fine alone, and the process of all ${what}: ${files.join(', ')}.`,
  );
}
