import { randomBytes } from 'node:crypto';
import { collectApart } from './apart.ts';
import { addFailure, collectFiles, emptyResult, type FileResult } from './collect-files.ts';
import { endCarriers, MARK } from './orphans.ts';

export interface RunOptions {
  root: string;
  /** What a process may take. */
  limitMs: number;
  env: Record<string, string>;
  marks: Set<string>;
  /** Whether they get a network of their own. */
  apart: boolean;
}

/** What became of one process with test files. */
interface Ran {
  results: FileResult[];
  /** How it ended if not with the cases of its files: such an end has to be told of one file. */
  end: 'broken' | 'late' | null;
  /** Processes that it left behind; ended. */
  orphans: number;
}

/**
 * Runs test files in one process, and ends whatever they left behind. Where more than their cases is to be told, each is run
 * again by itself, so that it is known of which file it is told; who is innocent fails with the others all the same when it
 * was only together that they did.
 */
export async function runFiles(files: string[], options: RunOptions): Promise<FileResult[]> {
  const ran = await runProcess(files, options);
  if (files.length === 1) return ran.results.map((result) => judged(result, ran, options));
  const isAsItShould = ran.end === null && ran.orphans === 0 && ran.results.every((one) => casesOf(one) > 0);
  if (isAsItShould) return ran.results;
  const again: FileResult[] = [];
  for (const file of files) again.push(...(await runFiles([file], options)));
  const [first] = again;
  const isTold = again.some(({ failed, orphans }) => failed + orphans > 0);
  if (first !== undefined && !isTold) tellOfAll(first, files, ran);
  return again;
}

/** Runs a process until it ends, or ends it, with all that it started, after `limitMs`. */
async function runProcess(files: string[], { root, limitMs, env: more, marks, apart }: RunOptions): Promise<Ran> {
  const mark = randomBytes(8).toString('hex');
  let late = false;
  let collected = { results: files.map(emptyResult), isBroken: true };
  let orphans = 0;
  const limit = setTimeout(() => {
    late = true;
    // Ended from the outside: a file that hangs does not listen.
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

/** The result of a file that had the process to itself: a late end counts as a failure, and so does no case at all. */
function judged(result: FileResult, { end, orphans }: Ran, { limitMs }: RunOptions): FileResult {
  result.orphans = orphans;
  const unfinished = result.unfinished ?? 'the file itself';
  if (end === 'late') addFailure(result, unfinished, `The file was not over after ${limitMs / 1000} s and was ended.`);
  else if (end === 'broken')
    addFailure(result, 'the file itself', 'It ended before its cases were over; its output is below.');
  else if (casesOf(result) === 0) addFailure(result, 'the file itself', 'It has no case.');
  return result;
}

/** Tells one of them what went wrong in the process of them all and in none of their own. */
function tellOfAll(result: FileResult, files: string[], { end, orphans, results }: Ran): void {
  const what = end === 'late' ? 'was not over in time' : end === 'broken' ? 'broke off' : `left ${orphans} behind`;
  result.output = results[0]?.output ?? '';
  addFailure(
    result,
    'the file itself',
    `Each of these was fine alone, and the process of all ${what}: ${files.join(', ')}.`,
  );
}
